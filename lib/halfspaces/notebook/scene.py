"""Write down what a view drew, as numbers that a script in the browser draws again.

A scene is a list of layers, one for each artist, and a layer is a text. Its lines are

    p|clip|style|outline|outline|…                  outlines
    m|clip|style|outline|x y x y …                  one outline at many places
    t|clip|colour|x y angle size|size:glyph x y …   letters, the same on every machine
    i|clip|matrix|colour:outline|…                  the cells of an image

in tenths of a pixel from the upper left corner. A frame names the layers that it shares with the
first one by their number, so that only what moved is sent.
"""

import re
from collections.abc import Iterator
from threading import RLock
from typing import Any

import numpy as np
from matplotlib import _path
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.path import Path
from matplotlib.spines import Spine
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Bbox
from mpl_toolkits.mplot3d import Axes3D

DPI = 100
UNIT = 10  # a pixel has so many units
EM = 1000  # letters are outlined in units of a thousandth of their size
COLOURS = 64  # of an image at most
CROWD = 1000  # markers, from which on there is at most one a pixel
ALWAYS = "0123456789−.-+"  # letters that moving ticks are made of
# The caches of fonts are shared by all figures, and events may come in several threads.
LOCK = RLock()

Layer = str
Frame = dict[str, Any]


class Recorder(RendererBase):
    """Take down what artists draw, as the lines of a layer."""

    def __init__(self, fig: Figure):
        super().__init__()
        self.lines: list[list[str]] = []
        self.depth, self.splits = 0, False  # a box in space is many artists: a layer for each
        self.glyphs: dict[str, tuple[int, str]] = {}
        self.texts: dict[tuple[Any, ...], list[str]] = {}
        self.width, self.height = (DPI * fig.get_size_inches()).tolist()
        self.ruler = FigureCanvasAgg(fig).get_renderer()  # measures text as the twin does
        self.to_units = Affine2D().scale(UNIT, -UNIT).translate(0, UNIT * self.height)

    def record(self, artist: Artist) -> list[Layer]:
        """Return the layers of one artist, an empty one where it draws nothing."""
        self.lines = [[]]
        artist.draw(self)
        return ["\n".join(lines) for lines in self.lines if lines] or [""]

    def put(self, kind: str, *fields: str) -> None:
        """Add a line; outlines of one style share one."""
        head = "|".join((kind, *fields[:2]))
        lines = self.lines[-1]
        if kind == "p" and lines and lines[-1].startswith(head + "|"):
            lines[-1] += "|" + fields[2]
        else:
            lines.append("|".join((head, *fields[2:])))

    # What matplotlib asks a renderer

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Start a layer for each artist of a box in space."""
        self.depth += 1
        if self.splits and self.depth == 2:
            self.lines.append([])

    def close_group(self, s: str) -> None:
        """End a group."""
        self.depth -= 1

    def points_to_pixels(self, points: Any) -> Any:
        """Convert printer's points."""
        return points * DPI / 72

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size in pixels."""
        return self.width, self.height

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        """Measure text."""
        return self.ruler.get_text_width_height_descent(s, prop, ismath)

    def option_scale_image(self) -> bool:
        """Take images as they are, with the transform that places them."""
        return True

    def draw_path(
        self, gc: GraphicsContextBase, path: Path, transform: Any, rgbFace: Any = None
    ) -> None:
        """Take down an outline."""
        thin = rgbFace is None and not gc.get_hatch()
        outline = self._outline(path, transform + self.to_units, cut=thin)
        if outline:
            self.put("p", self._clip(gc), self._style(gc, rgbFace, _is_straight(path)), outline)

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Any,
        path: Path,
        trans: Any,
        rgbFace: Any = None,
    ) -> None:
        """Take down one outline and the places where it stands."""
        places = self.to_units.transform(trans.transform(path.vertices))
        places = places[np.isfinite(places).all(1) & (np.abs(places) < 1e6).all(1)]
        if len(places) > CROWD:  # of those that hide each other one will do
            _, kept = np.unique(np.rint(places / UNIT), axis=0, return_index=True)
            places = places[np.sort(kept)]
        if len(places):
            shape = self._outline(marker_path, marker_trans + Affine2D().scale(UNIT, -UNIT))
            where = _numbers(places.ravel())
            self.put("m", self._clip(gc), self._style(gc, rgbFace), shape, where)

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        """Take down letters."""
        key = (s, hash(prop), bool(ismath))
        if key not in self.texts:
            self.texts[key] = self._letters(s, prop, ismath)
        runs = self.texts[key]
        if runs:
            scale = prop.get_size_in_points() * DPI / 72 * UNIT / EM
            place = f"{UNIT * x:.0f} {UNIT * y:.0f} {-angle:g} {scale:.4g}"
            opacity = gc.get_rgb()[3] if not gc.get_forced_alpha() else gc.get_alpha()
            self.put("t", self._clip(gc), f"{to_hex(gc.get_rgb())} {opacity:.3g}", place, *runs)

    def draw_image(
        self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None
    ) -> None:
        """Take down the cells of an image, colour by colour."""
        rows, columns = im.shape[:2]
        whole = transform or Affine2D().scale(columns, rows)
        place = Affine2D().scale(1 / columns, 1 / rows) + whole
        place = place + Affine2D().translate(x, y) + self.to_units
        matrix = " ".join(f"{v:.6g}" for v in place.get_matrix()[:2].T.ravel())
        self.put("i", self._clip(gc), matrix, *_cells(im))

    # How it is written

    def _outline(self, path: Path, transform: Any, cut: bool = False) -> str:
        clip = (0, 0, UNIT * self.width, UNIT * self.height) if cut else None
        codes = [b"M", b"L", b"Q", b"C", b"z"]
        write = _path.convert_to_string  # type: ignore[attr-defined]  # its stub has nothing
        text = write(path, transform, clip, False, None, 0, codes, False)
        return re.sub(r"\s*\n\s*|(?<=[A-Zz]) | (?=-)", "", text.decode("ascii"))

    def _clip(self, gc: GraphicsContextBase) -> str:
        box = gc.get_clip_rectangle()
        path: Any  # a Path, whatever the stub says
        path, transform = gc.get_clip_path()
        if box is None and path is not None:
            box = path.get_extents(transform)
        if box is None:
            return ""
        (left, top), (right, bottom) = self.to_units.transform([(box.x0, box.y1), (box.x1, box.y0)])
        return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"

    def _style(self, gc: GraphicsContextBase, face: Any, straight: bool = False) -> str:
        """Write fill, its opacity, stroke, its opacity, width, ends, corners, dashes, hatch."""
        forced, alpha = gc.get_forced_alpha(), gc.get_alpha()
        fill = stroke = "- 0"
        if face is not None:
            opacity = alpha if forced or len(face) < 4 else face[3]
            fill = f"{to_hex(face)} {opacity:.3g}" if opacity else fill
        width, rgb = self.points_to_pixels(gc.get_linewidth()) * UNIT, gc.get_rgb()
        opacity = alpha if forced else rgb[3]
        if width and opacity:
            stroke = f"{to_hex(rgb)} {opacity:.3g}"
        offset, dashes = gc.get_dashes()
        dash = ",".join(f"{self.points_to_pixels(d) * UNIT:.0f}" for d in np.asarray(dashes or ()))
        hatch = to_hex(gc.get_hatch_color()) if gc.get_hatch() else ""
        crisp = "c" if straight and width < 2 * UNIT and not dashes else ""
        ends, corners = gc.get_capstyle()[0], gc.get_joinstyle()[0]
        return f"{fill} {stroke} {width:.0f} {ends}{corners}{crisp} {dash} {hatch}".rstrip()

    def _letters(self, s: str, prop: Any, ismath: Any) -> list[str]:
        """Return runs of letters of one size, and the bars of fractions and roots."""
        if ismath:
            places, outlines, bars = text_to_path.get_glyphs_mathtext(prop, s)
        else:
            font = text_to_path._get_font(prop)  # type: ignore[attr-defined]  # private
            places, outlines, bars = text_to_path.get_glyphs_with_font(font, s)
        unit = EM / text_to_path.FONT_SCALE
        runs: dict[str, list[str]] = {}
        for name, x, y, size in places:
            if name not in self.glyphs:
                shape = Path(*outlines[name])
                self.glyphs[name] = len(self.glyphs), self._outline(shape, Affine2D().scale(unit))
            number, outline = self.glyphs[name]
            if outline:
                runs.setdefault(f"{size:.3g}", []).append(f"{number} {unit * x:.0f} {unit * y:.0f}")
        found = [f"{size}:{' '.join(run)}" for size, run in runs.items()]
        for vertices, codes in bars:
            found.append("bar:" + self._outline(Path(vertices, codes), Affine2D().scale(unit)))
        return found


class Scene:
    """Keep a figure that a view draws on, and tell its frames."""

    def __init__(self, fig: Figure):
        self.fig = fig
        fig.dpi = DPI
        fig.canvas.draw()
        fig.set_layout_engine("none")  # from now on nothing shifts
        self.recorder = Recorder(fig)
        self.recorder._letters(ALWAYS, fig.text(0, 0, "").get_fontproperties(), False)
        fig.texts.pop()
        self.kept: dict[Artist, tuple[Any, list[Layer]]] = {}
        self.base: list[Layer] = []
        self.numbers: dict[Layer, int] = {}
        self.spaces: list[Any] = []
        self.known = 0

    def first(self) -> Frame:
        """Return the frame that others refer to, with all that a script needs to draw it."""
        self.base = list(self._layers())
        self.numbers = {layer: i for i, layer in reversed(list(enumerate(self.base)))}
        self.spaces = self._spaces()
        self.known = len(self.recorder.glyphs)
        return {
            "size": [UNIT * self.recorder.width, UNIT * self.recorder.height],
            "layers": self.base,
            "axes": self.spaces,
            "glyphs": dict(self.recorder.glyphs.values()),
        }

    def frame(self) -> Frame:
        """Return what is shown now: numbers of layers of the first frame, and layers it has not."""
        layers = list(self._layers())
        frame: Frame = {"layers": [self.numbers.get(layer, layer) for layer in layers]}
        if (spaces := self._spaces()) != self.spaces:
            frame["axes"] = spaces
        late = dict(list(self.recorder.glyphs.values())[self.known :])
        if late:
            frame["glyphs"] = late
        return frame

    def _layers(self) -> Iterator[Layer]:
        """Draw in matplotlib's order."""
        yield from self._layer(self.fig.patch)
        children = [artist for artist in self.fig.get_children() if artist is not self.fig.patch]
        for artist in sorted(children, key=Artist.get_zorder):
            yield from self._axes(artist) if isinstance(artist, Axes) else self._layer(artist)

    def _axes(self, ax: Axes) -> Iterator[Layer]:
        if not ax.get_visible():
            return
        if ax.name == "3d":  # sorts its artists by depth
            self.recorder.splits = True
            yield from self.recorder.record(ax)
            self.recorder.splits = False
            return
        ax.apply_aspect()
        framed = ax.axison and ax.get_frame_on()
        if framed:
            yield from self._layer(ax.patch)
        for artist in sorted(ax.get_children(), key=Artist.get_zorder):
            off = isinstance(artist, Axis) and not ax.axison
            bare = isinstance(artist, Spine) and not framed
            if artist is not ax.patch and not off and not bare:
                yield from self._layer(artist)

    def _layer(self, artist: Artist) -> list[Layer]:
        """Record an artist, or if it did not move return what was recorded before."""
        if isinstance(artist, AxesImage) and artist.get_interpolation() != "none":
            artist.set_interpolation("none")  # its cells, not the pixels they become
        ax = artist.axes
        place = (*ax.viewLim.bounds, *ax.bbox.bounds) if ax else ()
        before, layers = self.kept.get(artist, (None, []))
        if before != place or _is_stale(artist):
            layers = self.recorder.record(artist)
            _settle(artist)
            self.kept[artist] = place, layers
        return layers

    def _spaces(self) -> list[dict[str, Any]]:
        """Tell where the axes are and what they span."""
        return [self._space(ax) for ax in self.fig.axes]

    def _space(self, ax: Axes) -> dict[str, Any]:
        box = Bbox(self.recorder.to_units.transform(ax.bbox))
        x, y = sorted((box.x0, box.x1)), sorted((box.y0, box.y1))
        space: dict[str, Any] = {
            "box": [round(v) for v in (x[0], y[0], x[1] - x[0], y[1] - y[0])],
            "x": [float(f"{v:.9g}") for v in ax.get_xlim()],
            "y": [float(f"{v:.9g}") for v in ax.get_ylim()],
        }
        if isinstance(ax, Axes3D):
            space["turn"] = [round(float(ax.azim), 3), round(float(ax.elev), 3)]
        return space


def _is_stale(artist: Artist) -> bool:
    return artist.stale or any(map(_is_stale, artist.get_children()))


def _settle(artist: Artist) -> None:
    """Lower the flags that matplotlib leaves up on what is empty or hidden."""
    artist.stale = False
    for child in artist.get_children():
        _settle(child)


def _is_straight(path: Path) -> bool:
    """Tell whether a path runs along the axes only, so that its edges can be crisp."""
    vertices = np.asarray(path.vertices)
    codes = np.asarray([] if path.codes is None else path.codes)
    if len(vertices) > 6 or (codes[1:] == Path.MOVETO).any():
        return False
    steps = np.diff(vertices[:5], axis=0)
    return bool(len(steps)) and not (np.abs(steps) > 1e-9).all(1).any()


def _numbers(values: np.ndarray) -> str:
    return " ".join(map(str, np.rint(values).astype(int).tolist()))


def _cells(image: np.ndarray) -> list[str]:
    """Return for each colour of an image the outline of its cells, rows that are alike in one."""
    packed = np.ascontiguousarray(image, dtype=np.uint8).view("<u4")[..., 0]
    if len(np.unique(packed)) > COLOURS:
        coarse = image.copy()
        coarse[..., :3] = coarse[..., :3] // 17 * 17
        packed = np.ascontiguousarray(coarse).view("<u4")[..., 0]
    columns = packed.shape[1]
    found: dict[int, list[str]] = {}
    starts = [0, *(np.flatnonzero((packed[1:] != packed[:-1]).any(1)) + 1).tolist(), len(packed)]
    for top, bottom in zip(starts, starts[1:]):
        row = packed[top]
        edges = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), columns]
        for left, right in zip(edges, edges[1:]):
            found.setdefault(int(row[left]), []).append(f"M{left} {top}H{right}V{bottom}H{left}z")
    return [
        f"{_colour(value)}:{''.join(outlines)}" for value, outlines in found.items() if value >> 24
    ]


def _colour(value: int) -> str:
    """Write a packed colour and its opacity."""
    red, green, blue, alpha = value.to_bytes(4, "little")
    return f"#{red:02x}{green:02x}{blue:02x} {alpha / 255:.3g}"
