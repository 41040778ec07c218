"""Read the command line: one parser, with a subparser for each command.

What a command needs is imported when it runs, so that `--help` is quick, and works where there is
no course. The names and one-line helps stand in course.py too, which must know them before anything
is installed; a test compares.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from coursekit import NoCourseError

PROGRAM = "python3 course.py"


class Parser(argparse.ArgumentParser):
    """Say in one sentence what is wrong."""

    def __init__(self, **options: Any):
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Refuse what was typed."""
        sentence = f"{message[0].upper()}{message[1:]}".rstrip(".")
        self.exit(2, f"{sentence}: {self.prog} --help says what is expected.\n")

    def named(self, find: Callable[[str], Any]) -> Callable[[str], Any]:
        """Let a function find what a name means; if it fails, its sentence says it all."""

        def convert(text: str) -> Any:
            try:
                return find(text)
            except ValueError as error:
                self.exit(2, f"{error}\n")

        return convert


def main(argv: list[str]) -> int:
    """Run a command; return its code."""
    try:
        args, command = read(argv)
        return args.run(args, command) or 0
    except NoCourseError as error:
        print(error, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("halfspaces", "coursekit", "benchmarks")):
            raise  # ours is a fault of ours
        print(
            f"This command needs {error.name}, which is not installed: pip install "
            '"halfspaces-course[lectures]" brings all that a course needs, [dev] its tests too.',
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        return 130


def read(argv: list[str]) -> tuple[argparse.Namespace, Parser]:
    """Return what was typed and its command's parser; exit if it is wrong, or asks for help."""
    words, handed_on = split(argv)
    parser, commands = make_parsers()
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words:
        parser.error("a command is missing")
    if words[0] not in (*commands, "-h", "--help"):
        parser.error(f"there is no command '{words[0]}'")
    if {"-h", "--help"} & set(words):
        words = [words[0], "--help"]
    elif words[0] == "test":
        words, handed_on = ["test"], [*words[1:], *handed_on]
    args, unknown = parser.parse_known_args(words)
    command = commands[args.command]
    if unknown:
        command.error(f"there is no argument {' '.join(unknown)}")
    if handed_on and not args.hands_on:
        command.error(f"nothing is handed on, so {' '.join(handed_on)} has no place behind --")
    args.handed_on = handed_on
    return args, command


def split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Part what is ours from what stands behind "--" and is handed on as it is."""
    if "--" not in argv:
        return argv, []
    at = argv.index("--")
    return argv[:at], argv[at + 1 :]


def make_parsers() -> tuple[Parser, dict[str, Parser]]:
    """Return the parser, and those of the commands."""
    parser = Parser(prog=PROGRAM, description="The commands of the course.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(
        name: str, run: Callable[[argparse.Namespace, Parser], int | None], text: str
    ) -> Parser:
        command = commands.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(run=run, hands_on=False)
        return command

    lab = add("lab", run_lab, "open your own copy of a notebook, in the folder study")
    lab.add_argument(
        "notebook",
        metavar="NOTEBOOK",
        nargs="?",
        type=lab.named(notebook),
        help="such as 5, 05, 05-mistake-bound or its path; the first if none is named",
    )
    add_jupyter(lab)

    homework = add(
        "homework", run_homework, "put a fresh copy of a homework into your folder homework"
    )
    homework.add_argument(
        "homework",
        metavar="NUMBER",
        nargs="?",
        type=homework.named(released),
        help="such as 3, 03 or hw03",
    )
    ways = homework.add_mutually_exclusive_group()
    ways.add_argument("--open", action="store_true", help="open it in JupyterLab")
    ways.add_argument(
        "--try",
        nargs="?",
        const="",
        metavar="FILE",
        dest="try_out",
        help="run what grading would read of a file, or of your copy, in a clean process",
    )
    ways.add_argument("--again", action="store_true", help="make another variant to practise with")
    ways.add_argument("--new", metavar="NUMBER", help="for authors: begin a new homework")
    add_jupyter(homework, "with --open")

    test = add("test", run_test, "run every test, the notebooks included; arguments go to pytest")
    test.usage = f"{PROGRAM} test [ARGUMENT OF PYTEST ...]"
    test.epilog = f"{PROGRAM} test -- --help shows the help of pytest."
    test.set_defaults(hands_on=True)

    bench = add("bench", run_bench, "measure speed beside other libraries")
    bench.add_argument(
        "parts",
        metavar="PART",
        nargs="*",
        type=bench.named(benchmark),
        help="perceptron, svm, sliders, room, grading; all if none is named",
    )

    add(
        "proofs",
        run_proofs,
        "compile the theorems in proofs with Coq, and tell which axioms they need",
    )

    slides = add("slides", run_slides, "open a notebook as slides, its cells running")
    add_notebook(slides)
    slides.add_argument(
        "--export",
        action="store_true",
        help="write one HTML file into export/ instead, which needs neither kernel nor network",
    )
    slides.add_argument(
        "--pdf",
        action="store_true",
        help="write a PDF into export/ instead, a slide a page, by Chromium and without a kernel",
    )
    add_lecture(slides)
    add_jupyter(slides)

    live = add("live", run_live, "make a notebook to type into in front of the room, and open it")
    add_notebook(live)
    live.add_argument("--make", action="store_true", help="make it, and do not open it")
    add_lecture(live)
    add_jupyter(live)

    takehome = add(
        "takehome",
        run_takehome,
        "write one page with what was typed, drawn and voted in the last lecture",
    )
    add_notebook(takehome)

    release = add(
        "release", run_release, "make the students' version of the homeworks, without solutions"
    )
    release.add_argument(
        "homeworks",
        metavar="NUMBER",
        nargs="*",
        type=release.named(in_source),
        help="such as 3, 03 or hw03; all if none is named",
    )
    release.add_argument(
        "--to", choices=["exchange"], help="put it where the students of the hub fetch it, too"
    )

    grade = add("grade", run_grade, "grade a folder of submissions, each in a sandbox of its own")
    add_grade(grade)

    collecting = add(
        "collect", run_collect, "take the submissions out of a learning platform's zip file"
    )
    collecting.add_argument(
        "archive",
        metavar="FILE.zip",
        type=Path,
        help="all submissions; the word exchange takes those that were handed in at the hub",
    )
    collecting.add_argument(
        "homework", metavar="NUMBER", type=collecting.named(in_source), help="such as hw03"
    )
    collecting.add_argument(
        "--roster", type=Path, metavar="FILE.csv", help="whose id is whose on the platform"
    )
    collecting.add_argument(
        "--worksheet", type=Path, metavar="FILE.csv", help="Moodle's grading worksheet, for times"
    )

    returning = add(
        "return", run_return, "write grades for a learning platform, and a zip of feedback"
    )
    returning.add_argument(
        "homework", metavar="NUMBER", type=returning.named(in_source), help="such as hw03"
    )
    returning.add_argument("--to", choices=["moodle", "canvas", "csv", "exchange"], default="csv")
    returning.add_argument(
        "--table", type=Path, metavar="FILE.csv", help="the platform's own table, to be filled in"
    )

    hub = add("hub", run_hub, "serve the course to a class by JupyterHub, as deploy/README.md says")
    hub.add_argument(
        "--invite",
        type=Path,
        metavar="FILE.csv",
        help="draw a password for everybody in a roster who has none yet, and print them",
    )
    hub.epilog = "What follows -- goes to jupyterhub as it is."
    hub.set_defaults(hands_on=True)

    export = add(
        "export",
        run_export,
        "write a notebook as one HTML file whose sliders move without a kernel",
    )
    add_notebooks(export)

    site = add("site", run_site, "write the course as a website, to read and to run")
    add_site(site)

    refresh = add("refresh", run_refresh, "run the notebooks and write their outputs back")
    add_notebooks(refresh)

    add("guide", run_guide, "write the instructor's guide from the notes in the notebooks")
    add(
        "claims",
        run_claims,
        "write what is derived from docs/claims.toml, the verdicts on the notes",
    )
    add("picture", run_picture, "draw the README's picture")

    font = add("font", run_font, "cut the font of the formulas out of STIX Two Math")
    font.add_argument(
        "source", metavar="FILE", type=Path, help="STIXTwoMath-Regular, as .ttf or .otf"
    )

    lock = add("lock", run_lock, "pin the packages of pyproject.toml")
    lock.add_argument("--upgrade", action="store_true", help="take the newest versions")
    lock.epilog = "What follows -- goes to uv pip compile as it is."
    lock.set_defaults(hands_on=True)
    return parser, dict(commands.choices)


# Arguments that several commands have


def add_notebook(parser: Parser) -> None:
    """Take a notebook."""
    parser.add_argument(
        "notebook",
        metavar="NOTEBOOK",
        nargs="?",
        default="",  # which gets the sentence that lists those there are
        type=parser.named(notebook),
        help="such as 5, 05, 05-mistake-bound or its path",
    )


def add_lecture(parser: Parser) -> None:
    """Take how long a lecture is, and which copy it is given from."""
    parser.add_argument(
        "--minutes",
        metavar="N",
        help="the length of the lecture, 50 or 80; slides outside of it are passed over",
        type=parser.named(lecture_length),
    )
    parser.add_argument(
        "--last",
        action="store_true",
        help="go on in the last copy that has been worked in, with what was typed and drawn in it",
    )


def add_notebooks(parser: Parser) -> None:
    """Take any number of notebooks."""
    parser.add_argument(
        "notebooks",
        metavar="NOTEBOOK",
        nargs="*",
        type=parser.named(notebook),
        help="such as 5, 05, 05-mistake-bound or its path; all if none is named",
    )


def add_jupyter(parser: Parser, when: str = "") -> None:
    """Take the options of JupyterLab that are asked for most; others follow after "--"."""
    group = parser.add_argument_group(f"JupyterLab, {when}" if when else "JupyterLab")
    group.add_argument(
        "--no-browser", action="store_true", help="open no browser, and say the address"
    )
    group.add_argument("--port", type=int, metavar="N", help="the port it listens on")
    parser.epilog = "What follows -- goes to jupyter lab as it is."
    parser.set_defaults(hands_on=True)


def jupyter_options(args: argparse.Namespace) -> list[str]:
    """Return what jupyter lab is to be called with."""
    options = []
    if args.no_browser:
        options.append("--no-browser")
    if args.port is not None:
        options.append(f"--port={args.port}")
    return options + args.handed_on


def add_site(parser: Parser) -> None:
    """Take what the website needs."""
    parser.add_argument(
        "--serve",
        action="store_true",
        help="show it on this machine; it is built first where it is missing",
    )
    parser.add_argument("--port", type=int, default=0, metavar="N", help="the port, with --serve")
    parser.add_argument(
        "--offline",
        action="store_true",
        help="pack Python too, so that pages run without network; else it comes from Pyodide's CDN",
    )
    parser.add_argument(
        "--pdf",
        action="store_true",
        help="print the whole course into one PDF, which takes Chromium",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; run every notebook and homework in Chromium, compare what notebooks"
        " say, and look for barriers: half an hour",
    )
    parser.epilog = (
        "It goes into site/: static files that any web server can serve, below any address. All\n"
        "notebooks and homeworks to read, with pictures that move and questions that can be\n"
        "answered; and every notebook to run, with Python in the browser.\n\n"
        "The first call computes the frames of all live pictures, a minute or two, and keeps\n"
        "them in build/films; later calls take seconds. .github/workflows/site.yml publishes the\n"
        "site on GitHub Pages, once the repository's settings name GitHub Actions as its source."
    )


def add_grade(parser: Parser) -> None:
    """Take what grading needs."""
    parser.add_argument(
        "homework", metavar="NUMBER", nargs="?", type=parser.named(in_source), help="such as hw03"
    )
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        help="where a folder or a file for each student is; exercises/submitted if not given",
    )
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--csv", type=Path, metavar="FILE", help="write a table, and leave the gradebook alone"
    )
    ways.add_argument("--mark", action="store_true", help="mark the proofs, in formgrader")
    ways.add_argument(
        "--feedback", action="store_true", help="write a page of feedback for each student"
    )
    ways.add_argument(
        "--report", action="store_true", help="write how the class did, question by question"
    )
    ways.add_argument(
        "--similar", action="store_true", help="write which answers are alike: never a verdict"
    )
    ways.add_argument(
        "--merge", type=Path, metavar="COURSE", help="take over another marker's marks"
    )
    ways.add_argument("--part", metavar="K/N", help="say whom the k-th of n markers marks")
    ways.add_argument(
        "--requests", action="store_true", help="list what students ask about their feedback"
    )
    deciding = parser.add_argument_group("Decisions, with --requests")
    deciding.add_argument("--decide", type=positive, metavar="N", help="the request of this number")
    deciding.add_argument("--points", type=float, metavar="P", help="new points; else they stay")
    deciding.add_argument("--because", default="", metavar="TEXT", help="what the student reads")
    parser.add_argument(
        "--own-files", action="store_true", help="grade files of your own, without a sandbox"
    )
    parser.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="grade on the workers of a Dask scheduler"
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="how many at a time; all cores")
    add_jupyter(parser, "with --mark")


# What names mean


def notebook(text: str) -> Path:
    """Return a notebook of the course."""
    from coursekit.contents import find_notebook

    return find_notebook(text)


def lecture_length(text: str) -> int:
    """Return one of the lengths that lectures have."""
    from coursekit.lecture.deck import LENGTHS

    lengths = {str(length): length for length in LENGTHS}
    if text not in lengths:
        raise ValueError(
            f"There is no lecture of {text} minutes: there are those of {' and '.join(lengths)}, "
            "and without --minutes the slides ask."
        )
    return lengths[text]


def released(text: str) -> str:
    """Return the name of a homework that has been released."""
    from coursekit.contents import EXERCISES, find_homework

    return find_homework(text, EXERCISES / "release")


def in_source(text: str) -> str:
    """Return the name of a homework that has a source."""
    from coursekit.contents import EXERCISES, find_homework

    return find_homework(text, EXERCISES / "source")


def benchmark(text: str) -> str:
    """Return the name of a part of the benchmark."""
    parts = benchmarks().PARTS
    if text not in parts:
        raise ValueError(f"There is no benchmark {text}: there are {', '.join(parts)}.")
    return text


def positive(text: str) -> int:
    """Return a number from 1 on."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return int(text)


def benchmarks() -> Any:
    """Return the benchmarks, which stand outside of the packages."""
    from coursekit import ROOT

    sys.path.insert(0, str(ROOT))
    import benchmarks.__main__

    return benchmarks.__main__


# The commands


def run_lab(args: argparse.Namespace, parser: Parser) -> None:
    """Open a reader's copy."""
    from coursekit.lab import open_copy

    open_copy(args.notebook, jupyter_options(args))


def run_homework(args: argparse.Namespace, parser: Parser) -> int | None:
    """Hand out a homework."""
    if jupyter_options(args) and not args.open:
        parser.error("options of JupyterLab go with --open")
    if args.new is not None:
        from coursekit.homework.template import begin

        return begin(args.new)
    if args.try_out and args.homework is None and not Path(args.try_out).is_file():
        args.homework, args.try_out = parser.named(released)(args.try_out), ""  # --try 03
    elif args.try_out and args.homework is None:
        args.homework = parser.named(released)(Path(args.try_out).stem[:4])
    if args.homework is None:
        parser.named(released)("")  # the sentence that lists those there are
    if args.try_out is not None:
        from coursekit.homework.trying import try_homework

        return try_homework(args.homework, Path(args.try_out) if args.try_out else None)
    from coursekit.homework.handout import hand_out, hand_out_again

    if args.again:
        return hand_out_again(args.homework)
    return hand_out(args.homework, args.open, jupyter_options(args))


def run_test(args: argparse.Namespace, parser: Parser) -> int:
    """Run the tests."""
    from coursekit.test import run_tests

    return run_tests(args.handed_on)


def run_bench(args: argparse.Namespace, parser: Parser) -> int:
    """Measure."""
    return benchmarks().measure(args.parts)


def run_slides(args: argparse.Namespace, parser: Parser) -> None:
    """Show slides, or write them."""
    writes = args.export or args.pdf
    if writes and jupyter_options(args):
        parser.error("options of JupyterLab do not go with --export and --pdf")
    if writes and args.minutes:
        parser.error("--minutes does not go with --export and --pdf, which have every slide")
    from coursekit.lecture import slides

    last = last_copy(args, parser, slides.FOLDER, slides.STAMP)
    if args.export:
        slides.write_deck(last or args.notebook)
    if args.pdf:
        slides.write_pdf(last or args.notebook)
    if not writes:
        copy = last or slides.make_copy(args.notebook)
        slides.present(copy, jupyter_options(args), args.minutes)


def run_live(args: argparse.Namespace, parser: Parser) -> None:
    """Make a typed edition, and show it."""
    if args.make and jupyter_options(args):
        parser.error("options of JupyterLab do not go with --make")
    if args.make and (args.last or args.minutes):
        parser.error("--last and --minutes do not go with --make, which opens nothing")
    from coursekit.lecture import typed
    from coursekit.lecture.slides import present

    last = last_copy(args, parser, typed.FOLDER, typed.STAMP)
    made = last or typed.make_edition(args.notebook)
    if not args.make:
        present(made, jupyter_options(args), args.minutes)


def last_copy(args: argparse.Namespace, parser: Parser, folder: Path, stamp: str) -> Path | None:
    """Return the copy that --last asks for, or nothing where it was not said."""
    if not args.last:
        return None
    from coursekit.editions import last_worked_in

    found = last_worked_in(folder, args.notebook.stem, stamp)
    if not found:
        parser.error(f"no copy of {args.notebook.stem} in {folder.name} has been worked in")
    return found


def run_takehome(args: argparse.Namespace, parser: Parser) -> int | None:
    """Write the page to take home."""
    from coursekit import ROOT
    from coursekit.lecture.room.takehome import take_home

    return take_home(args.notebook.stem, ROOT / "votes")


def run_release(args: argparse.Namespace, parser: Parser) -> int:
    """Release homeworks."""
    from coursekit.homework.release import release

    return release(args.homeworks, to_exchange=args.to == "exchange")


def run_grade(args: argparse.Namespace, parser: Parser) -> int | None:
    """Grade, mark, or write feedback."""
    if jupyter_options(args) and not args.mark:
        parser.error("options of JupyterLab go with --mark")
    if args.cluster and args.own_files:
        parser.error("files of your own are graded here, and not on a cluster")
    after = args.report or args.similar or args.merge or args.part or args.requests
    if args.folder and (args.mark or args.feedback or after):
        parser.error("a folder is for grading alone")
    if (args.decide or args.because or args.points is not None) and not args.requests:
        parser.error("--decide, --points and --because go with --requests")
    if (args.because or args.points is not None) and not args.decide:
        parser.error("--points and --because go with --decide")
    if not (args.homework or args.mark):
        args.homework = parser.named(in_source)("")
    if after:
        return run_after(args)
    from coursekit.homework import grade

    if args.mark:
        return grade.open_formgrader(args.homework, jupyter_options(args), own_files=args.own_files)
    if args.feedback:
        return grade.give_feedback(args.homework)
    return grade.grade(
        args.homework,
        args.folder,
        csv_file=args.csv,
        own_files=args.own_files,
        jobs=args.jobs,
        cluster=args.cluster,
    )


def run_after(args: argparse.Namespace) -> int | None:
    """Do what comes after grading."""
    from coursekit.homework import after

    if args.report:
        return after.report(args.homework)
    if args.similar:
        return after.similar(args.homework, own_files=args.own_files)
    if args.merge:
        return after.merge_marks(args.homework, args.merge)
    if args.part:
        return after.say_part(args.homework, args.part)
    return after.answer_requests(
        args.homework, number=args.decide, points=args.points, because=args.because
    )


def run_collect(args: argparse.Namespace, parser: Parser) -> int:
    """Collect submissions."""
    from coursekit.homework.platforms.collect import collect

    return collect(args.archive, args.homework, args.roster, args.worksheet)


def run_return(args: argparse.Namespace, parser: Parser) -> int:
    """Give grades and feedback back."""
    from coursekit.homework.platforms.worksheets import Platform, give_back

    return give_back(args.homework, Platform(args.to), args.table)


def run_hub(args: argparse.Namespace, parser: Parser) -> int:
    """Start the hub, or let a class in."""
    from coursekit.hub.command import invite_class, serve

    return invite_class(args.invite) if args.invite else serve(args.handed_on)


def run_export(args: argparse.Namespace, parser: Parser) -> None:
    """Write pages."""
    from coursekit.publish.export import write_pages

    write_pages(args.notebooks)


def run_site(args: argparse.Namespace, parser: Parser) -> int:
    """Write the website, or show it."""
    if args.serve and args.pdf:
        parser.error("--pdf writes and --serve shows: call one after the other")
    if args.port and not args.serve:
        parser.error("a port goes with --serve")
    if args.check and (args.serve or args.pdf):
        parser.error("--check writes nothing, and shows nothing: call it alone")
    from coursekit.publish import site

    try:
        if args.check:
            from coursekit.publish.lite.trial import check_all

            return check_all()
        if args.serve:
            return site.serve_site(args.port, args.offline)
        return site.write_site(args.offline, args.pdf)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


def run_refresh(args: argparse.Namespace, parser: Parser) -> int:
    """Refresh notebooks."""
    from coursekit.publish.refresh import refresh_all

    return refresh_all(args.notebooks)


def run_guide(args: argparse.Namespace, parser: Parser) -> None:
    """Write the guide."""
    from coursekit.lecture.guide import write_guide

    write_guide()


def run_proofs(args: argparse.Namespace, parser: Parser) -> int:
    """Compile the proofs."""
    from coursekit.proofs import report

    return report()


def run_claims(args: argparse.Namespace, parser: Parser) -> None:
    """Write what is derived from the claims."""
    from coursekit.publish.claims import write_derived

    write_derived()


def run_picture(args: argparse.Namespace, parser: Parser) -> None:
    """Draw the picture."""
    from coursekit.publish.picture import draw_picture

    draw_picture()


def run_font(args: argparse.Namespace, parser: Parser) -> None:
    """Make the font of the formulas."""
    if not args.source.is_file():
        parser.error(f"there is no file {args.source}; stixfonts.org has STIXTwoMath-Regular")
    from coursekit.publish.font import make_font

    make_font(args.source)


def run_lock(args: argparse.Namespace, parser: Parser) -> int:
    """Pin the packages."""
    from coursekit.publish.lock import lock

    upgrade = ["--upgrade"] if args.upgrade else []
    return lock([*upgrade, *args.handed_on])
