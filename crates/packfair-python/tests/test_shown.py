"""What a person sees."""

import xml.etree.ElementTree as ET

import packfair


def test_results_have_a_verdict_and_a_table(results):
    assert "EASY" in str(results)
    assert results.verdict and results.verdict in str(results)
    assert "\\begin{tabular}" in results.latex()
    assert repr(results).startswith("<packfair.Results of 6 runs on ")


def test_a_notebook_shows_verdict_table_and_chart_on_light_and_dark(results):
    html = results._repr_html_()
    root = ET.fromstring(html)
    rows = root.findall(".//tbody/tr")
    assert len(rows) == 6
    assert root.find(".//td/b") is not None, "the best are marked"
    assert results.verdict.split(".")[0].split("<")[0] in "".join(root.itertext())
    light, dark = root.findall(".//img")
    assert light.get("src") != dark.get("src")
    table = html[html.index("<table"): html.index("</table>")]
    assert "color" not in table and "background" not in table, "the page's own colours"


def test_charts_are_drawings(results):
    assert "cwa" in results.charts
    assert results.chart("cdf-wait") == results.chart("waits")
    for dark in (False, True):
        assert ET.fromstring(results.chart("cwa", dark=dark)).tag.endswith("svg")
    assert results.chart("cwa", ["easy__actual"]) != results.chart("cwa", ["easy__requested"])


def test_results_are_saved_by_their_ending(results, tmp_path):
    for ending in ("json", "csv", "md", "tex", "html"):
        results.save(tmp_path / f"results.{ending}")
        assert (tmp_path / f"results.{ending}").stat().st_size > 200


def test_everything_that_has_an_id_is_named():
    text = packfair.catalogue()
    assert "sjf-justbf" in text and "metrics-table-2" in text and "P2SF" in text


def test_functions_say_what_they_take():
    for function in (packfair.read, packfair.run, packfair.recipe, packfair.explore, packfair.when, packfair.generate):
        assert len(function.__doc__) > 100, function
    assert "baseline=None" in packfair.run.__text_signature__
