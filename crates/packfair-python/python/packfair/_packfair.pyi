__version__: str
engine_digest: str
