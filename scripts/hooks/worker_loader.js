// Starts the worker's module. A worker with the name "given" gets it from the page (src/app/pool.rs), any other loads it.
import init from './worker.js';
const given = self.name === "given" && (await new Promise((take) => (self.onmessage = (event) => take(event.data))));
const of = await init(given ? { module_or_path: given } : undefined);
