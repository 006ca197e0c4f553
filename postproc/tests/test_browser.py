"""The pages as a browser has them: no complaint, they play, scrub and tell values, nothing is cut off."""

import subprocess
from pathlib import Path

import pytest

import synthetic
from browser import needs_chromium, visit
from fem_post.results import Results

PROGRAM = Path(__file__).resolve().parent.parent / "fem-post"

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The animation and the report of a finished run."""
    folder = tmp_path_factory.mktemp("pages")
    results = synthetic.write(folder / "case.h5", bend=0.3)
    for command in (["animate", results, "--format", "html"],
                    ["report", results, "-o", folder / "case.html"]):
        done = subprocess.run([PROGRAM, *map(str, command)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return folder


# What the hand does at a place (m) of the picture, and what is drawn there.
HAND = """
const {scene, picture, show, play, frame} = window.animation;
const at = id => document.getElementById(id);
const hand = (kind, place, more = {}) => {
  const {left, top} = at("picture").getBoundingClientRect(), [x, y] = picture.pixel(place);
  at("picture").dispatchEvent(new PointerEvent(kind, {clientX: left + x, clientY: top + y, ...more}));
};
const scrub = number => {
  at("scrub").value = number;
  at("scrub").dispatchEvent(new Event("input"));
};
const copy = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const near = (place, red, green, blue, reach = 3) => {
  [copy.canvas.width, copy.canvas.height] = [at("picture").width, at("picture").height];
  copy.drawImage(at("picture"), 0, 0);
  const ratio = window.devicePixelRatio, [x, y] = picture.pixel(place);
  const size = Math.round((2 * reach + 1) * ratio);
  const {data} = copy.getImageData(Math.round((x - reach) * ratio),
                                   Math.round((y - reach) * ratio), size, size);
  for (let k = 0; k < data.length; k += 4)
    if (Math.abs(data[k] - red) + Math.abs(data[k + 1] - green) + Math.abs(data[k + 2] - blue) < 60
        && data[k + 3] > 200)
      return true;
  return false;
};
const blue = (place, reach) => near(place, 0, 114, 178, reach);
"""


def look(folder, script, **more):
    """What the script tells of the animation, which the console does not complain of."""
    page = (folder / "case_animation.html").read_text(encoding="utf-8")
    told, complaints = visit(page, folder / "visit", HAND + script, **more)
    assert complaints == []
    return told


def test_scrubbing_shows_the_time_and_the_structure_where_it_is(folder):
    told = look(folder, """
for (const what of ["names", "trails", "start"]) at(what).click();
scrub(123);
tell(at("clock").textContent);
tell(at("frame").textContent);
const middle = scene.onRod(123, scene.rods[2], 3, 0.5), apart = 30 / picture.view.scale;
tell([blue(middle), blue([middle[0] + apart, middle[1] + apart]), blue(scene.place(123, 1), 8)]);
at("trails").click();
tell([0, 1, 2, 3].map(point => picture.pixel(scene.place(123, point)).join()).join(";"));
tell(near(scene.place(60, 3), 230, 159, 0));
""")
    assert told[:3] == ["t = 6.150 s", "frame 124 of 401", "true,false,true"]
    places = [tuple(map(float, place.split(","))) for place in told[3].split(";")]
    with Results(folder / "case.h5") as results:
        position = results.array("points/position", [123])[0, :4, :2]
    # Pixels are a similar picture of metres, with Y up.
    scale = (places[3][0] - places[0][0]) / (position[3, 0] - position[0, 0])
    for place, metres in zip(places, position):
        assert place[0] - places[0][0] == pytest.approx(scale * metres[0], abs=0.01)
        assert places[0][1] - place[1] == pytest.approx(scale * metres[1], abs=0.01)
    assert told[4] == "true"  # the path of C, where it was at 3 s


def test_hovering_marks_what_is_there_and_tells_its_values(folder):
    told = look(folder, """
scrub(200);
const place = scene.onRod(200, scene.rods[1], 3, 0.5);
hand("pointermove", place);
tell(at("tip").hidden);
tell(at("tip").innerText.replaceAll("\\n", "|"));
tell(near([place[0] + 9 / picture.view.scale, place[1]], 230, 159, 0));
hand("pointermove", scene.place(200, 3));
tell(at("tip").innerText.replaceAll("\\n", "|"));
hand("pointermove", [place[0] + 1, place[1] - 1]);
tell(at("tip").hidden);
hand("pointermove", scene.place(200, 1));
at("picture").dispatchEvent(new PointerEvent("pointerleave"));
tell(at("tip").hidden);
""")
    with Results(folder / "case.h5") as results:
        moved = results.array("points/position", [0, 200])[:, 3, :2]
    assert told[0] == "false"
    assert told[1].startswith("rod rod2, s = 1.0") and "|time: 10 s|position: " in told[1]
    assert told[2] == "true"
    heading, _, position, displacement = told[3].replace("\u2212", "-").split("|")[:4]
    assert heading == "point C"
    for words, expected in ((position, moved[1]), (displacement, moved[1] - moved[0])):
        x, y = words.split(": ")[1].removesuffix(" m").split(", ")
        assert [float(x), float(y)] == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert told[4:] == ["true", "true"]


def test_playing_keeps_its_pace_to_the_end_and_stops(folder):
    """The run plays in 10 s, at four times the speed in 2.5 s. The browser's clock is told to go by
    timers, so frames are given by one, too."""
    told = look(folder, """
window.requestAnimationFrame = frame => setTimeout(() => frame(performance.now()), 16);
at("speed").value = "4";
at("play").click();
tell(at("play").getAttribute("aria-label"));
const seen = [];
const watch = now => {
  seen.push([now, frame()]);
  if (at("play").getAttribute("aria-label") === "pause") { requestAnimationFrame(watch); return; }
  tell(seen.length > 5);
  tell(Math.max(...seen.map(([t, k]) => Math.abs(k - Math.min((t - seen[0][0]) / 2500, 1) * 400))));
  tell(frame());
};
requestAnimationFrame(watch);
""", milliseconds=4000)
    assert told[:2] == ["pause", "true"]
    assert float(told[2]) <= 5  # two frames of 16 ms
    assert told[3] == "400"


def test_keys_step_and_the_wheel_zooms_about_the_hand(folder):
    told = look(folder, """
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
press("ArrowRight"); press("ArrowRight"); press("ArrowLeft"); tell(frame());
press("End"); tell(frame());
press("Home"); tell(frame());
const place = scene.place(0, 1), before = picture.pixel(place), scale = picture.view.scale;
const {left, top} = at("picture").getBoundingClientRect();
at("picture").dispatchEvent(new WheelEvent("wheel", {deltaY: -500, clientX: left + before[0],
                                                    clientY: top + before[1], cancelable: true}));
const after = picture.pixel(place);
tell(Math.hypot(after[0] - before[0], after[1] - before[1]) < 1.5);
tell((picture.view.scale / scale).toFixed(6));
at("picture").dispatchEvent(new MouseEvent("dblclick"));
tell((picture.view.scale / scale).toFixed(6));
""")
    assert told == ["1", "400", "0", "true", "2.718282", "1.000000"]


@pytest.mark.parametrize("size", [(1200, 800), (420, 740)])
def test_names_and_controls_stay_inside_the_window(folder, size):
    told = look(folder, """
const names = [];
const plain = picture.text.bind(picture);
picture.text = (words, x, y, options = {}) => {
  plain(words, x, y, options);
  if (!(options.font || "").startsWith("bold")) return;
  const width = picture.pen.measureText(words).width;
  const left = options.align === "right" ? x - width : x;
  names.push([words, left, left + width, picture.width]);
};
for (let k = 0; k <= 400; k += 10) show(k);
tell(names.length > 100);
tell(names.filter(([, left, right, width]) => left < 0 || right > width).map(w => w[0]).join());
tell(document.documentElement.scrollWidth <= window.innerWidth);
tell(document.documentElement.scrollHeight <= window.innerHeight);
""", size=size)
    assert told == ["true", "", "true", "true"]


@pytest.mark.parametrize("size", [(1200, 900), (420, 740)])
def test_the_report_is_whole(folder, size):
    page = (folder / "case.html").read_text(encoding="utf-8")
    told, complaints = visit(page, folder / "visit", """
const images = [...document.images];
tell(images.length);
tell(images.filter(image => !image.complete || image.naturalWidth < 500).length);
tell(images.filter(image => !image.alt).length);
tell(document.documentElement.scrollWidth <= window.innerWidth);
const text = document.body.innerText;
tell(["Trust", "Energy balance", "Events", "Configurations"].filter(w => !text.includes(w)).join());
tell([...document.querySelectorAll("td, dd")].filter(cell => /nan|undefined|None/.test(
  cell.innerText)).length);
""", size=size)
    assert complaints == []
    assert int(told[0]) >= 4
    assert told[1:] == ["0", "0", "true", "", "0"]


def test_a_complaint_would_be_seen(folder):
    """The tests above would fail if a script of the page went wrong."""
    page = (folder / "case_animation.html").read_text(encoding="utf-8")
    _, complaints = visit(page, folder / "visit", "setTimeout(() => nothing.there, 10);")
    assert any("nothing is not defined" in line for line in complaints)
