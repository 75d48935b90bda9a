# SPDX-License-Identifier: Apache-2.0
"""Starts the agents and measures them, for bench/compare and bench/fleet."""
import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import socket as sockets
import statistics
import subprocess
import sys
import time
import urllib.parse
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
STOCK, DSO, OURS, FLOOR = "stock", "DSO", "jmmv", "floor"  # DSO: the stock agent as a part of pmcd
ROUNDS = 3
PATIENCE = 60  # timeout for a reply, in seconds
TIMED_OUT = 3  # exit status of the driver after a timeout
UNKNOWN_VERSION = 99  # format version of the files that every agent refuses
WARM = {"small": 200_000, "large": 0, "any": 0}  # minimum number of requests before jmmv is measured
CPUS = {  # the CPUs of the driver (-c) and of the agent (-a)
    "small": ["-c", "0", "-a", "0"],
    "large": ["-c", "1", "-a", "0"],
    "any": [],
}


def fail(message):
    sys.exit(f"bench/{pathlib.Path(sys.argv[0]).name}: {message}")


def launcher_of(installation, name):
    """Returns a program of an installation. Before 0.3, it was not in bin."""
    program = installation / "bin" / name
    return program if program.is_file() else installation / name


@dataclass(frozen=True)
class Files:
    """A set of equal MMV files of version 1. Each instance of each metric has a value."""

    count: int
    metrics: int
    instances: int = 0  # of each metric; 0: the metrics have no instance domain
    type: str = "u64"
    clusters: int = 0  # number of clusters in the files' headers; 0: the agent assigns the clusters
    refused: int = 0  # number of further files, with UNKNOWN_VERSION
    directory: str = None  # where they are; None: where everything else is

    def values(self):
        return self.count * self.metrics * max(self.instances, 1)


@dataclass(frozen=True)
class Run:
    """The parameters of one measurement. Several rows may show figures of the same run."""

    files: Files
    cpus: str = "small"
    options: tuple = ()
    client: tuple = ()  # measure this client of pmcd, instead of requests on a pipe
    collector: bool = False  # fetch with PCP's library, from pmcd or from jmmv serve
    values: int = None  # expected number of values in a reply; None: all values of the files
    floor: bool = False  # also measure the floor
    rewrites: bool = False  # replace one of the files before each request
    jmmv: tuple = ()  # further options of jmmv
    rounds: int = ROUNDS

    def agents(self, other):
        """Returns what is measured in each round.

        Another installation, if there is one, is measured in the place of the stock agent.
        """
        if other:
            return STOCK, OURS
        if self.client:
            return (STOCK, DSO, OURS)
        agents = (STOCK, DSO, OURS) if self.collector else (STOCK, OURS)
        return agents + (FLOOR,) if self.floor else agents


class Bench:
    """Builds and runs the measured programs, and keeps the results.

    With another installation of jmmv, that one is measured in the place of the stock agent.
    """

    def __init__(self, directory, other=None, other_java_options=""):
        self.directory = directory
        self.other = other
        self.other_java_options = other_java_options
        self.load = os.getloadavg()[0]
        self.results = {}
        self.written = {}
        self.stock = self.pcp("PCP_PMDAS_DIR") + "/mmv/pmdammv"
        self.state = directory / "state"
        self.build()

    def pcp(self, name):
        """Returns the value of a variable in pcp.conf."""
        try:
            text = pathlib.Path(os.environ.get("PCP_CONF", "/etc/pcp.conf")).read_text()
        except OSError as e:
            fail(f"no PCP ({e}); ./check installs what is needed")
        return re.search(f"^{name}=(.*)$", text, re.M).group(1)

    def build(self):
        for tool in "gcc", "mvn":
            shutil.which(tool) or fail(f"no {tool}; ./check installs what is needed")
        os.access(self.stock, os.X_OK) or fail(f"no stock agent at {self.stock}")
        len(os.sched_getaffinity(0) & {0, 1}) == 2 or fail("CPUs 0 and 1 are needed")
        find_java = '. dist/src/main/sh/find-java.sh; jmmv_find_java javac'
        self.java = subprocess.run(
            ["sh", "-c", find_java + ' && echo "$JMMV_JAVA_HOME"'],
            cwd=ROOT, capture_output=True, text=True,
        ).stdout.strip() or fail("no JDK 25 or newer; ./check installs what is needed")
        warnings = "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
        self.environment = os.environ | {
            "JAVA_HOME": self.java,
            "JMMV_JAVA": "",  # the agent's own runtime
            "MAVEN_OPTS": os.environ.get("MAVEN_OPTS", "") + " " + warnings,
        }
        mvn = ["mvn", "-B", "-q", "-ntp", "-pl", "dist,bench,qa", "-am", "-DskipTests", "package"]
        built = subprocess.run(mvn, cwd=ROOT, env=self.environment).returncode == 0
        programs = ("drive",), ("floor",), ("fetch", "-lpcp"), ("replay",), ("crowd",), ("live",)
        for name, *libraries in programs:
            source = ROOT / "bench/src/main/c" / (name + ".c")
            gcc = ["gcc", "-O2", "-Wall", "-o", self.directory / name, source, *libraries]
            built = built and subprocess.run(gcc).returncode == 0
        built or fail("the build failed, see above")

    def files(self, files):
        """Writes the files if they do not exist yet, and returns the PCP_TMP_DIR for them."""
        if files not in self.written:
            parent = pathlib.Path(files.directory or self.directory)
            temporary = parent / f"files{len(self.written)}"
            self.generate(
                temporary, "--files", files.count, "--metrics", files.metrics, "--instances",
                files.instances, "--type", files.type, "--clusters", files.clusters)
            if files.refused:
                self.generate(
                    temporary, "--files", files.refused, "--metrics", files.metrics, "--version",
                    UNKNOWN_VERSION, "--name", "refused")
            self.written[files] = temporary
        return self.written[files]

    def generate(self, temporary, *options):
        """Writes MMV files with the project's own generator."""
        libraries = ROOT / "bench/target/lib"
        command = [f"{self.java}/bin/java", "-cp", f"{libraries}/*", "org.jmmv.testkit.Generate"]
        command += [temporary / "mmv", *map(str, options)]
        subprocess.run(command).returncode == 0 or fail("the MMV files can't be written, see above")

    def is_jmmv(self, agent):
        return agent == OURS or (agent == STOCK and self.other is not None)

    def launcher(self, agent, name):
        return launcher_of(ROOT / "dist/target/jmmv" if agent == OURS else self.other, name)

    def command(self, agent, run):
        """Returns the command line of the stock agent or of jmmv."""
        program, options = (
            (self.launcher(agent, "pmdajmmv"), run.jmmv) if self.is_jmmv(agent)
            else (self.stock, ()))
        return [str(program), "-l", str(self.directory / "log"), "-U", "root", *options]

    def fresh(self, agent, run, java_options=""):
        """Deletes what an earlier agent has stored, and returns the environment for the next one."""
        if agent == STOCK:
            java_options += " " + self.other_java_options
        shutil.rmtree(self.state, ignore_errors=True)
        (self.state / "config/pmda").mkdir(parents=True)
        return self.environment | {
            "PCP_TMP_DIR": str(self.files(run.files)),
            "PCP_VAR_DIR": str(self.state),
            "JMMV_JAVA_OPTS": java_options,
        }

    def drive(self, agent, run, *more, java_options="", reply_bytes=0):
        """Starts an agent and measures it once. Returns the driver's figures, None after a timeout."""
        environment = self.fresh(agent, run, java_options)
        if agent == FLOOR:
            metrics = run.files.metrics * run.files.count
            command = [self.directory / "floor", str(metrics), str(reply_bytes)]
        else:
            command = self.command(agent, run)
        warm_up = ["-W", "2", "-s", "2", "-t", str(PATIENCE)]
        if self.is_jmmv(agent):
            warm_up += ["-w", str(WARM[run.cpus])]
        rewrite = ["-r", self.files(run.files) / "mmv/app7"] if run.rewrites else []
        done = subprocess.run(
            [self.directory / "drive", *CPUS[run.cpus], *warm_up, *run.options, *rewrite, *more,
             "--", *command],
            env=environment, stdout=subprocess.PIPE, text=True)
        if done.returncode == TIMED_OUT:
            return None
        done.returncode == 0 or fail(f"measuring {agent} failed")
        figures = figures_of(done.stdout)
        if agent != FLOOR and figures["names"] < run.files.count * run.files.metrics:
            fail(f"{agent} served only {figures['names']:.0f} names")
        expected = run.files.values() if run.values is None else run.values
        if agent != FLOOR and "-d" not in run.options and figures["values"] != expected:
            fail(f"{agent} served {figures['values']:.0f} values, not {expected}")
        return figures | {"output": done.stdout}

    @contextlib.contextmanager
    def pmcd(self, agent, run, has_own=False):
        """Starts a pmcd with this agent only. Returns its Unix domain socket, and the processes.

        Clients connect to that socket, so that they can't reach the machine's own pmcd. With has_own
        pmcd also has metrics of its own.
        """
        environment = self.fresh(agent, run) | {
            "PCP_RUN_DIR": str(self.state), "PCP_LOG_DIR": str(self.state)}
        if agent == DSO:
            connection = f"dso mmv_init {self.stock.replace('pmdammv', 'pmda_mmv.so')}"
        else:
            connection = "pipe binary " + " ".join(f'"{word}"' for word in self.command(agent, run))
        configuration, names = self.state / "pmcd.conf", self.state / "names"
        own, own_names = "", ""
        if has_own:
            own = f"pmcd 2 dso pmcd_init {self.pcp('PCP_PMDAS_DIR')}/pmcd/pmda_pmcd.so\n"
            own_names = pathlib.Path(self.pcp("PCP_VAR_DIR"), "pmns/root_pmcd").read_text()
            own_names = re.sub(r"root \{\s*pmcd\s*\}", "", own_names)
        configuration.write_text(
            f'{own}mmv 70 {connection}\n\n[access]\nallow "local:*" : all;\n')
        names.write_text(f"root {{\n{'    pmcd' * has_own}\n    mmv 70:*:*\n}}\n{own_names}")
        socket, log = self.state / "socket", self.state / "pmcd.log"
        log.touch()
        command = [
            self.pcp("PCP_BINADM_DIR") + "/pmcd", "-f", "-A", "-c", configuration, "-n", names,
            "-s", socket, "-i", "127.0.0.1", "-p", "0", "-l", log, "-x", log]
        with running(command, environment, socket, log) as pmcd:
            self.client(socket, "pminfo", "none")  # pmcd answers it once the agent has started
            time.sleep(1)
            agents = pathlib.Path(f"/proc/{pmcd}/task/{pmcd}/children").read_text().split()
            yield socket, [pmcd, *map(int, agents)]

    @contextlib.contextmanager
    def pmproxy(self, run):
        """Starts pmproxy and a pmcd with the stock agent. Returns the address of its /metrics."""
        port = free_port()
        with self.pmcd(STOCK, run, True) as (socket, _):
            configuration, log = self.state / "pmproxy.conf", self.state / "pmproxy.log"
            configuration.write_text(
                "[pmproxy]\nhttp.enabled = true\nredis.enabled = false\n"
                "[redis]\nenabled = false\n[resp]\nenabled = false\n")
            own = self.state / "pmproxy.socket"
            command = [
                self.pcp("PCP_BINADM_DIR") + "/pmproxy", "-f", "-A", "-i", "127.0.0.1", "-p", str(port),
                "-c", configuration, "-s", own, "-l", log]
            with running(command, self.environment, own, log):
                host = urllib.parse.quote(f"unix://{socket}", safe="")
                yield f"http://127.0.0.1:{port}/metrics?names=mmv&hostspec={host}"

    @contextlib.contextmanager
    def web(self, run):
        """Starts jmmv serve with HTTP alone. Returns the address of its /metrics, and its process."""
        environment = self.fresh(OURS, run) | {"XDG_STATE_HOME": str(self.state)}
        port, log = free_port(), self.state / "web.log"
        command = [
            self.launcher(OURS, "jmmv"), "serve", "--listen", "none",
            "--http", f"127.0.0.1:{port}", self.files(run.files) / "mmv"]
        with running(command, environment, None, log) as process:
            address = f"http://127.0.0.1:{port}"
            curl("--retry", "20", "--retry-all-errors", f"{address}/-/ready")
            yield f"{address}/metrics", process

    @contextlib.contextmanager
    def serve(self, run, agent=OURS):
        """Starts jmmv serve. Returns its Unix domain socket, and its process."""
        environment = self.fresh(agent, run) | {"XDG_STATE_HOME": str(self.state)}
        socket, log = self.state / "socket", self.state / "serve.log"
        command = [
            self.launcher(agent, "jmmv"), "serve", "--listen", "none", "--socket", socket,
            self.files(run.files) / "mmv"]
        with running(command, environment, socket, log) as process:
            yield socket, process

    def client(self, socket, program, *arguments):
        """Runs a client of PCP."""
        environment = self.environment | {
            "PCP_PYTHON_PROG": "/usr/bin/python3",  # PCP's modules are the system's
        }
        command = [program, "-h", f"unix://{socket}", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def under_pmcd(self, agent, run):
        """Measures a client of pmcd, which is the agent's first one."""
        with self.pmcd(agent, run) as (socket, processes):
            cpu, begin = cpu_seconds(processes), time.monotonic()
            done = self.client(socket, *run.client)
            wall, cpu = time.monotonic() - begin, cpu_seconds(processes) - cpu
        served = len(re.findall(r"^ +value ", done.stdout, re.M))
        if done.returncode != 0 or (run.client[0] == "pminfo" and served < run.files.values()):
            fail(f"{run.client} failed with {agent}, {served} values: {done.stderr}")
        return {"wall_us": wall * 1e6, "cpu_us": cpu * 1e6}

    def collected(self, agent, run):
        """Measures fetches with PCP's library."""
        if self.is_jmmv(agent):
            with self.serve(run, agent) as (socket, _):
                return self.fetch(socket, run)
        if agent != FLOOR:
            with self.pmcd(agent, run) as (socket, _):
                return self.fetch(socket, run)
        with self.serve(run) as (socket, _):
            replaying = self.state / "replay"
            with running([self.directory / "replay", replaying, socket], None, replaying):
                return self.fetch(replaying, run)

    def fetch(self, socket, run):
        count = WARM[run.cpus] // 10
        done = subprocess.run(
            [self.directory / "fetch", f"unix://{socket}", str(count), "2"],
            stdout=subprocess.PIPE, text=True)
        done.returncode == 0 or fail("fetch failed")
        figures = figures_of(done.stdout)
        figures["values"] == run.files.values() or fail(f"{figures['values']:.0f} values were served")
        return figures

    def measure(self, run):
        """Returns for each agent the medians of its figures over all rounds, None after a timeout."""
        if run not in self.results:
            rounds = {agent: [] for agent in run.agents(self.other)}
            for _ in range(run.rounds):
                for agent, found in rounds.items():
                    if None in found:
                        continue
                    if run.client:
                        figures = self.under_pmcd(agent, run)
                    elif run.collector:
                        figures = self.collected(agent, run)
                    else:
                        size = rounds[OURS][-1]["reply_bytes"] if agent == FLOOR else 0
                        figures = self.drive(agent, run, reply_bytes=int(size))
                    found.append(figures)
                    say = "> 60 s" if figures is None else " ".join(
                        f"{name} {figures[name]:.1f}" for name in figures if name != "output")
                    print(f"{agent:5} {run.files} {say}", file=sys.stderr)
            self.results[run] = {agent: medians(found) for agent, found in rounds.items()}
        return self.results[run]


@contextlib.contextmanager
def running(command, environment=None, socket=None, log=None):
    """Runs a server, waits until it listens on its Unix domain socket, and ends it afterwards."""
    with open(log or os.devnull, "ab") as errors:
        process = subprocess.Popen(command, env=environment, stdout=errors, stderr=errors)
    try:
        while socket and not listens(socket) and process.poll() is None:
            time.sleep(0.01)
        process.poll() is None or fail(f"{command[0]} has ended, {log and log.read_text()}")
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def listens(socket):
    """Returns whether a process listens on a Unix domain socket, without connecting to it."""
    sockets = pathlib.Path("/proc/net/unix").read_text().splitlines()
    return any(line.endswith(f" {socket}") and line.split()[3] == "00010000" for line in sockets)


def free_port():
    with sockets.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def curl(*arguments):
    command = ["curl", "--silent", "--fail", "--max-time", str(PATIENCE), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    done.returncode == 0 or fail(f"{command} failed: {done.returncode}")
    return done.stdout


def scraped(address, *options):
    """Returns how long a scrape has taken, in microseconds."""
    arguments = ["--output", "/dev/null", "--write-out", "%{time_total}", *options, address]
    return float(curl(*arguments)) * 1e6


def check_page(address, values):
    found = len(re.findall(rb"^mmv_", curl(address), re.M))
    found >= values or fail(f"{address} had {found} values")


def figures_of(output):
    """Returns the figures that a program has printed, by their names."""
    return {
        name: float(number) for name, number in re.findall(r"^(\w+) ([\d.]+)$", output, re.M)
    }


def cpu_seconds(processes):
    """Returns the CPU time that all threads of these processes have used."""
    seconds = 0
    for process in processes:
        clock = ctypes.c_int()
        ctypes.CDLL(None).clock_getcpuclockid(process, ctypes.byref(clock))
        seconds += time.clock_gettime(clock.value)
    return seconds


def medians(rounds):
    if None in rounds:
        return None
    return {
        name: statistics.median(figures[name] for figures in rounds)
        for name in rounds[0] if name != "output"
    }
