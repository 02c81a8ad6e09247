"""Makes the Parquet files beside it, by four writers, of the same invented jobs, and jobs.csv, with which they are compared.

    pip install pyarrow pandas fastparquet duckdb polars
    python make.py

A file is named after its writer and what is special in it.
"""

import csv
import datetime
import decimal
import pathlib

import duckdb
import fastparquet
import pandas
import polars
import pyarrow
import pyarrow.parquet

HERE = pathlib.Path(__file__).parent
ZERO = datetime.datetime(2024, 2, 29, 22, 0, 0)
JOBS = 90
STATES = ["COMPLETED", "FAILED", "TIMEOUT", "CANCELLED"]


def jobs():
    rows = []
    for i in range(JOBS):
        submit = ZERO + datetime.timedelta(seconds=137 * i + (i * i) % 61)
        start = submit + datetime.timedelta(seconds=(i * 29) % 901)
        run = 60 + (i * 7919) % 7001
        rows.append({
            "job_id": 70_000 + 3 * i,
            "user": f"user{(i * i) % 11}",
            "account": None if i % 9 == 4 else ["physics", "chemistry", "a, \"b\""][i % 3],
            "submit_time": submit,
            "start_time": start,
            "end_time": start + datetime.timedelta(seconds=run),
            "run_time": float(run),
            "time_limit": None if i % 13 == 5 else 7_200 + 600 * (i % 5),
            "cores": 1 << (i % 7),
            "gpus": None if i % 4 else (i // 4) % 3,
            "state": STATES[(i // 2) % 4],
            "exclusive": i % 3 == 0,
        })
    return rows


ROWS = jobs()
KINDS = {
    "job_id": pyarrow.int64(), "user": pyarrow.string(), "account": pyarrow.string(), "submit_time": pyarrow.timestamp("us"),
    "start_time": pyarrow.timestamp("us"), "end_time": pyarrow.timestamp("us"), "run_time": pyarrow.float64(),
    "time_limit": pyarrow.int32(), "cores": pyarrow.int32(), "gpus": pyarrow.int16(), "state": pyarrow.string(),
    "exclusive": pyarrow.bool_(),
}
TIMES = ["submit_time", "start_time", "end_time"]


def table(**kinds):
    """The jobs with columns of other kinds than usual."""
    columns = {}
    for name, usual in KINDS.items():
        kind = kinds.get(name, usual)
        values = [row[name] for row in ROWS]
        if pyarrow.types.is_decimal(kind):
            values = [None if value is None else decimal.Decimal(int(value)) for value in values]
        elif pyarrow.types.is_timestamp(kind) and kind.tz:
            values = [value.replace(tzinfo=datetime.timezone.utc) for value in values]
        elif pyarrow.types.is_string(kind) and not isinstance(values[0], (str, type(None))):
            values = [None if value is None else str(value) for value in values]
        array = pyarrow.array(values, usual if pyarrow.types.is_dictionary(kind) else kind)
        columns[name] = array.dictionary_encode() if pyarrow.types.is_dictionary(kind) else array
    return pyarrow.table(columns)


def by_pyarrow(name, what, **how):
    usual = {"store_schema": False, "write_statistics": False, "compression": "none"}
    pyarrow.parquet.write_table(what, HERE / f"pyarrow-{name}.parquet", **{**usual, **how})


def times(kind):
    return {name: kind for name in TIMES}


def written_as(floats, wholes, texts):
    columns = {"run_time": floats, "user": texts, "account": texts, "state": texts, "exclusive": "PLAIN"}
    columns |= {name: wholes for name in ["job_id", "time_limit", "cores", "gpus", *TIMES]}
    return {"use_dictionary": False, "column_encoding": {name: how for name, how in columns.items()}}


def main():
    with open(HERE / "jobs.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(KINDS)
        writer.writerows([["" if value is None else value for value in row.values()] for row in ROWS])

    for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
        by_pyarrow(codec, table(), compression=codec)
    by_pyarrow("v2-pages", table(), data_page_version="2.0", compression="zstd")
    by_pyarrow("v2-pages-gzip-plain", table(), data_page_version="2.0", compression="gzip", use_dictionary=False)
    by_pyarrow("plain", table(), **written_as("PLAIN", "PLAIN", "PLAIN"))
    by_pyarrow("delta", table(), **written_as("BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY"))
    by_pyarrow("delta-v2", table(), data_page_version="2.0",
               **written_as("BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED", "DELTA_BYTE_ARRAY"))
    by_pyarrow("split", table(run_time=pyarrow.float32()), **written_as("BYTE_STREAM_SPLIT", "BYTE_STREAM_SPLIT", "PLAIN"))
    by_pyarrow("rle-truths", table(), data_page_version="2.0", use_dictionary=False, column_encoding={"exclusive": "RLE"})
    for unit in ["ms", "ns"]:
        by_pyarrow(f"times-{unit}", table(**times(pyarrow.timestamp(unit))))
    by_pyarrow("times-zone", table(**times(pyarrow.timestamp("ms", "Asia/Tokyo"))), store_schema=True)
    by_pyarrow("times-int96", table(**times(pyarrow.timestamp("ns"))), use_deprecated_int96_timestamps=True)
    by_pyarrow("version-1", table(**times(pyarrow.timestamp("ms"))), version="1.0")
    by_pyarrow("decimals", table(cores=pyarrow.decimal128(9, 2), time_limit=pyarrow.decimal128(25, 3),
                                 gpus=pyarrow.decimal256(60, 1), job_id=pyarrow.decimal128(18, 0)))
    by_pyarrow("decimals-whole", table(cores=pyarrow.decimal128(9, 2), time_limit=pyarrow.decimal128(18, 3)),
               store_decimal_as_integer=True)
    by_pyarrow("kinds", table(job_id=pyarrow.uint32(), cores=pyarrow.uint8(), time_limit=pyarrow.float32(),
                              gpus=pyarrow.float16(), run_time=pyarrow.uint64(), user=pyarrow.large_string(),
                              state=pyarrow.binary(), account=pyarrow.dictionary(pyarrow.int8(), pyarrow.string())))
    by_pyarrow("groups", table(), row_group_size=20, compression="snappy")
    by_pyarrow("small-pages", table(), data_page_size=64, write_batch_size=8, write_page_checksum=True,
               write_page_index=True, write_statistics=True, use_dictionary=["user"])
    lists = table().append_column("nodes", pyarrow.array([[f"n{i}", "n2"] if i % 3 else None for i in range(JOBS)]))
    place = [{"rack": i % 4, "power": [1.0, None], "row": {"name": "r"}} if i % 5 else None for i in range(JOBS)]
    by_pyarrow("nested", lists.add_column(3, "place", pyarrow.array(place)), compression="snappy", store_schema=True)

    frame = table(**times(pyarrow.timestamp("ns"))).to_pandas()
    frame["wait"] = frame["start_time"] - frame["submit_time"]
    frame.to_parquet(HERE / "pandas.parquet", index=True)
    frame = frame.drop(columns="wait")
    frame["account"] = frame["account"].astype("category")
    frame["gpus"] = frame["gpus"].astype("Int16")
    for name, how in {
        "snappy": {"compression": "SNAPPY", "times": "int96"},
        "lz4": {"compression": "LZ4_RAW", "row_group_offsets": 40},
        "plain": {"compression": None, "stats": False},
    }.items():
        fastparquet.write(str(HERE / f"fastparquet-{name}.parquet"), frame, **how)

    shown = table()
    for name, how in {
        "snappy": "",
        "zstd-v2": ", codec zstd, parquet_version v2",
        "lz4-raw-v2": ", codec lz4_raw, parquet_version v2, dictionary_size_limit 1",
        "brotli": ", codec brotli",
        "gzip": ", codec gzip, parquet_version v2",
    }.items():
        duckdb.sql(f"copy shown to '{HERE}/duckdb-{name}.parquet' (format parquet{how})")
    duckdb.sql(f"""copy (select * replace (submit_time at time zone 'UTC' as submit_time, cores::decimal(7,2) as cores),
        (end_time - start_time)::interval as run from (select * exclude run_time from shown))
        to '{HERE}/duckdb-kinds.parquet' (format parquet)""")

    for codec in ["zstd", "lz4", "snappy", "uncompressed"]:
        polars.from_arrow(shown).write_parquet(
            HERE / f"polars-{codec}.parquet", compression=codec, statistics=False, data_page_size=500, row_group_size=50)


main()
