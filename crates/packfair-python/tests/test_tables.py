"""Tables in and out, by whichever library."""

import datetime as dt
from zoneinfo import ZoneInfo

import duckdb
import packfair
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import ROWS


class Stream:
    """Nothing but the interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def as_csv(rows, path):
    pd.DataFrame(rows).to_csv(path, index=False)
    return packfair.read(path)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, lambda rows: Stream(pa.table(rows))])
def test_a_frame_is_read_as_the_file_of_it(make, tmp_path):
    log, of_file = packfair.read(make(ROWS)), as_csv(ROWS, tmp_path / "rows.csv")
    assert len(log) == 4
    assert log.jobs().to_dict() == of_file.jobs().to_dict()
    assert log.jobs()["user"] == ["ada", "bo", "ada", "cy"]


def test_a_frame_without_pyarrow_goes_as_text(monkeypatch):
    frame = pd.DataFrame(ROWS)
    def missing(self, requested_schema=None):
        raise ImportError("pyarrow")
    monkeypatch.setattr(pd.DataFrame, "__arrow_c_stream__", missing)
    assert packfair.read(frame).jobs().to_dict() == packfair.read(pa.table(ROWS)).jobs().to_dict()


ZERO = dt.datetime(2024, 3, 31, 0, 30)


def moments(zone=None):
    def at(column):
        return [ZERO.replace(tzinfo=zone) + dt.timedelta(seconds=second) for second in ROWS[column]]

    return {**ROWS, **{column: at(column) for column in ("submit", "start", "end")}}


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC"])
def test_moments_of_any_unit_are_moments(unit, zone):
    fields = [(name, pa.timestamp(unit, zone)) for name in ("submit", "start", "end")]
    fields += [(name, pa.int64()) for name in ("processors", "limit")]
    rows = {name: moments()[name] for name, _ in fields}
    waits = packfair.run(packfair.read(pa.table(rows, schema=pa.schema(fields))), "as-logged").jobs("as-logged")["wait"]
    assert waits == [0, 0, 90, 100]


def test_zones_of_one_frame_are_one_clock():
    frame = pd.DataFrame(moments(dt.timezone.utc))
    frame["start"] = frame["start"].dt.tz_convert("Asia/Tokyo")
    frame["end"] = frame["end"].dt.tz_convert("America/New_York")
    assert packfair.run(packfair.read(frame), "as-logged").jobs("as-logged")["wait"] == [0, 0, 90, 100]


def test_zones_of_one_column_are_one_clock():
    zones = ["Asia/Tokyo", "UTC", "America/New_York", "Europe/Berlin"]
    rows = moments(dt.timezone.utc)
    for column in ("submit", "start", "end"):
        rows[column] = [at.astimezone(ZoneInfo(zone)) for at, zone in zip(rows[column], zones, strict=True)]
    assert packfair.run(packfair.read(pd.DataFrame(rows)), "as-logged").jobs("as-logged")["wait"] == [0, 0, 90, 100]


def test_parts_of_structures_are_columns():
    users = pa.array([{"user": "ada", "tags": [1]}, None, {"user": "bo", "tags": []}, {"user": None, "tags": [2]}])
    rows = {name: values for name, values in ROWS.items() if name != "user"}
    log = packfair.read(pa.table({**rows, "who": users}), columns=["user=who.user"])
    assert len(log) == 4
    assert log.jobs()["user"][0] == "ada"


def test_moments_with_and_without_a_zone_cannot_be_compared():
    frame = pd.DataFrame(moments())
    frame["start"] = frame["start"].dt.tz_localize("Europe/Berlin")
    with pytest.raises(ValueError, match=r"some columns of times have a time zone \(start\) and some have none \(submit, end\)"):
        packfair.read(frame)


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(12, 2), pa.string()])
def test_numbers_of_any_type_are_numbers(kind):
    table = pa.table(ROWS)
    at = table.column_names.index("processors")
    widths = [str(width) for width in ROWS["processors"]]
    table = table.set_column(at, "processors", pa.array(widths).cast(kind))
    assert packfair.read(table).jobs()["procs"] == [4, 4, 8, 2]


def test_texts_of_any_type_are_texts():
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        table = pa.table(ROWS)
        users = pa.array(ROWS["user"]).cast(kind) if kind != pa.dictionary(pa.int8(), pa.string()) else pa.array(ROWS["user"]).dictionary_encode()
        table = table.set_column(table.column_names.index("user"), "user", users)
        assert packfair.read(table).jobs()["user"] == ROWS["user"], kind
    awkward = {**ROWS, "user": ['a, "b"', "c\nd", "ü", "=1"]}
    assert packfair.read(pa.table(awkward)).jobs()["user"] == ['a, "b"', "c d", "ü", "=1"]


def test_spans_of_time_are_seconds():
    frame = pd.DataFrame(ROWS)
    frame["limit"] = pd.to_timedelta(frame["limit"], unit="s")
    assert packfair.read(frame).jobs()["limit"] == ROWS["limit"]


def test_columns_can_be_named():
    frame = pd.DataFrame(ROWS).rename(columns={"submit": "a", "limit": "b", "processors": "c"})
    frame["b"] /= 60
    for columns in ({"submit": "a", "limit": ("b", "min"), "processors": "c"}, ["submit=a", "limit=b:min", "processors=c"]):
        jobs = packfair.read(frame, columns=columns).jobs()
        assert (jobs["limit"], jobs["procs"]) == (ROWS["limit"], ROWS["processors"])


def test_a_parquet_file_is_the_frame_in_it(tmp_path):
    table = pa.table(moments(dt.timezone.utc))
    pq.write_table(table, tmp_path / "log.parquet")
    file, frame = packfair.read(tmp_path / "log.parquet"), packfair.read(table)
    assert file.jobs().to_dict() == frame.jobs().to_dict()
    assert packfair.read((tmp_path / "log.parquet").read_bytes()).jobs().to_dict() == frame.jobs().to_dict()


def test_several_files_are_one_log(tmp_path):
    frame = pd.DataFrame(moments())
    frame[:2].to_csv(tmp_path / "1.csv", index=False)
    frame[2:].to_csv(tmp_path / "2.csv", index=False)
    both = packfair.read([tmp_path / "1.csv", tmp_path / "2.csv"])
    assert len(both) == len(packfair.read(tmp_path)) == 4


def test_tables_go_out_by_capsules(results):
    table = results.table(["AF"])
    assert table.columns == ["run", "scheduler", "estimator", "k", "shrink", "jobs", "saturated", "overfull", "failed", "AF"]
    arrow = pa.table(table)
    assert arrow.schema.field("AF").type == pa.float64()
    assert arrow.schema.field("jobs").type == pa.int64()
    assert arrow.to_pydict() == table.to_dict() == pl.DataFrame(table).to_dict(as_series=False)
    frame = table.to_pandas()
    assert list(frame["AF"]) == table["AF"]
    assert pa.schema(table).names == table.columns
    with pytest.raises(KeyError, match="there is no column x; there are run, "):
        table["x"]


def test_duckdb_reads_tables_and_its_relations_are_read(results):
    jobs = results.jobs("easy__requested")
    (count, wait), = duckdb.sql("SELECT count(*), max(wait) FROM jobs").fetchall()
    assert (count, wait) == (len(jobs), max(jobs["wait"]))
    table = results.table(["AF"])
    assert duckdb.sql('SELECT min(AF) FROM "table"').fetchall() == [(min(table["AF"]),)]
    rows = pa.table(ROWS)
    relation = duckdb.sql("SELECT * FROM rows WHERE processors > 2")
    assert packfair.read(relation).jobs()["procs"] == [4, 4, 8]


def test_jobs_and_curves_are_tables(results):
    jobs = pl.DataFrame(results.jobs("fcfs__requested"))
    assert len(jobs) == 1000
    assert (jobs["start"] - jobs["submit"] == jobs["wait"]).all()
    curves = results.curves("cwa").to_pandas()
    assert set(curves["series"]) >= set(results.runs)
    assert curves["y"].notna().any()
