#!/usr/bin/env python3
"""Runs the simulator of the ACM MM'22 short-video challenge and the lab side by side, and compares them session by session.

  scripts/experiments/short_video.py CHECKOUT [--bitrate 0..2] [--traces N] [--readers N] [--details]

CHECKOUT is a copy of AItransCompetition/Short-Video-Streaming-Challenge. It needs numpy, and runs as it is, in a temporary
folder; nothing of it is changed. Compared is the video that plays first in its queue of five: README.md says why.
"""

import argparse, atexit, bisect, contextlib, csv, io, itertools, json, math, os, shutil, subprocess, sys, tempfile, types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RTT = 80  # ms, added to every download; the trace stands still meanwhile, and while a policy sleeps
SLEEP = 100  # ms
AHEAD = 3  # chunks, of which the last is being played

# What the samples do with the video that is playing, and a policy that holds back, for both simulators.
LUA = {
  "no_save": "return view.inFlight == 0 and not view.isExhausted",
  "fix_preload": "return view.inFlight == 0 and not view.isExhausted",
  "hold_back": f"""
    if view.inFlight > 0 or view.isExhausted then return false end
    if view.now < state.due - 1e-6 then return {{ fetch = 0, wait = state.due - view.now }} end
    if view.itemCount == 0 or view.remainingItems + 1 < {AHEAD} then return true end
    state.due = view.now + {SLEEP / 1000}
    return {{ fetch = 0, wait = {SLEEP / 1000} }}""",
}


class HoldBack:
  """Stays a few chunks ahead in the first video, in the interface of the challenge; no other video is fetched early."""

  def Initialize(self):
    pass

  def run(self, delay, rebuf, video_size, end_of_video, play_video_id, Players, first_step=False):
    playing = Players[0]
    # Where the next chunk begins at the moment of the question, the lab asks first.
    ahead = playing.get_chunk_counter() - max(0, math.ceil(playing.get_play_chunk()) - 1)
    isDue = playing.get_remain_video_num() > 0 and ahead < AHEAD
    return play_video_id, 0, 0 if isDue else SLEEP


class Theirs:
  """Their simulator with one of seven videos first in the queue."""

  def __init__(self, checkout):
    self.checkout = os.path.abspath(checkout)
    if not os.path.isfile(os.path.join(self.checkout, "simulator/controller.py")):
      sys.exit(f"error: {checkout}: expected a checkout of AItransCompetition/Short-Video-Streaming-Challenge")
    self.folder = tempfile.mkdtemp(prefix="short_video.")
    atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
    for name in ("data/short_video_size", "data/user_ret", "logs/sample_user"):
      os.makedirs(os.path.join(self.folder, name))
    os.chdir(self.folder)
    sys.dont_write_bytecode = True
    for name in ("", "simulator", "baseline", "quickstart"):
      sys.path.insert(0, os.path.join(self.checkout, name))
    # The controller imports a private function of an older numpy, and never calls it.
    sys.modules.setdefault("numpy.lib.utils", types.SimpleNamespace(_split_line=None))
    try:
      import numpy, controller, fix_preload, no_save, user_module
    except ModuleNotFoundError as error:
      sys.exit(f"error: their simulator needs {error.name}")

    self.numpy, self.controller, self.retention = numpy, controller, user_module.Retention
    self.policies = {"no_save": no_save.Algorithm, "fix_preload": fix_preload.Algorithm, "hold_back": HoldBack}
    self.videos = sorted(os.listdir(os.path.join(self.checkout, "data/short_video_size")))

  def readers(self, count):
    """The random seeds of run.py's own reader, then those of its test_user_samples."""
    random = self.numpy.random
    random.seed(42)
    readers = [random.randint(100, size=(7, 2)).tolist()]
    samples = random.randint(10000, size=(1001, 1))
    for sample in samples[: count - 1]:
      random.seed(sample)
      readers.append(random.randint(10000, size=(7, 2)).tolist())
    return readers

  def first(self, video):
    """Puts a video at the head of the queue, by the names of links: they are read in order."""
    for kind in ("short_video_size", "user_ret"):
      folder = os.path.join(self.folder, "data", kind)
      for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
      for place in range(7):
        name = self.videos[(video + place) % 7]
        os.symlink(os.path.join(self.checkout, "data", kind, name), os.path.join(folder, str(place)))

  def play(self, policy, bitrate, trace, reader):
    """Stall in ms, wasted bytes as they count them, chunks fetched and the size of one counted twice, of the first video."""
    policy = self.policies[policy]()
    with contextlib.redirect_stdout(io.StringIO()):
      world = self.controller.Environment(0, trace[0], trace[1], 7, reader)
      policy.Initialize()
      step = policy.run(0, 0, 0, False, 0, world.players, True)
      first = world.players[0]
      stall = wasted = twice = 0
      while world.play_video_id == 0:
        video, _, sleep = step
        delay, rebuf, size, end, playing, waste = world.buffer_management(video, bitrate, sleep)
        wasted += waste
        if playing == 0:
          stall += rebuf
        elif video == 0 and sleep == 0:
          twice = size
        step = policy.run(delay, rebuf, size, end, playing, world.players, False)
    return dict(stall=float(stall), wasted=wasted, twice=twice, fetched=len(first.get_downloaded_bitrate()))


class Ours:
  """The lab on the same video: a chunk is an item, and a page."""

  def __init__(self, program, folder):
    self.program, self.folder = program, folder
    for name, body in LUA.items():
      with open(self.path(name + ".lua"), "w") as file:
        file.write(
          "return lookahead.policy {\n  name = '%s',\n  start = function() return { due = 0 } end,\n"
          "  shouldBatchFetch = function(view, parameters, state)\n    %s\n  end,\n}\n" % (name, body))

  def path(self, name):
    return os.path.join(self.folder, name)

  def play(self, policy, watched, latencies):
    """Stall in ms and chunks fetched: `watched` is in ms, `latencies` are those of the chunks in ms."""
    chunks = math.ceil(watched / 1000)
    reading = dict(keys="offset", waits=0, waited=0, pageSize=1, latencies=[[n, ms / 1000] for n, ms in enumerate(latencies)])
    head = dict(format="lookahead.viewport", version=1, items=len(latencies), viewport=1, source="", reading=reading)
    points = [[1000 * n, n, n] for n in range(chunks)] + [[watched, chunks - 1, chunks - 1]]
    with open(self.path("session.jsonl"), "w") as file:
      file.write("\n".join(map(json.dumps, [head] + points)) + "\n")
    result = subprocess.run(
      [self.program, "lab", self.path(policy + ".lua"), "--workload", "trace:session.jsonl", "--network", "recorded:session.jsonl",
       "--set", "pageSize=1", "--sessions", "1", "--format", "csv"],
      cwd=self.folder, capture_output=True, text=True)
    if result.returncode:
      sys.exit(f"lookahead lab failed:\n{result.stderr}")
    rows = [row for row in csv.DictReader(io.StringIO(result.stdout)) if row["policy"] == policy and row["session"]]
    values = {row["metric"]: float(row["value"]) for row in rows}
    return dict(stall=values["stall"] * 1000, fetched=int(values["requests"]), values=values)


def downloads(trace, sizes):
  """How long each chunk takes in ms when all are fetched in order, by the bytes that the trace carries up to a time.

  A row's rate holds for the interval that ends at its time, so the first row's is never used; 95 % of it is payload.
  """
  times, rates = trace
  carried = [0.0]
  for start, end, rate in zip(times, times[1:], rates[1:]):
    carried.append(carried[-1] + (end - start) * rate * 1e6 / 8 * 0.95)

  def time(amount):
    rounds, rest = divmod(amount, carried[-1])
    row = max(1, bisect.bisect_left(carried, rest))
    share = (rest - carried[row - 1]) / (carried[row] - carried[row - 1])
    return rounds * times[-1] + times[row - 1] + share * (times[row] - times[row - 1])

  ends = [time(total) for total in itertools.accumulate(sizes)]
  return [math.floor((end - start) * 1000 + RTT + 0.5) for start, end in zip([0] + ends, ends)]


def read(path, kind):
  with open(path) as file:
    return list(zip(*[[kind(cell) for cell in line.split()] for line in file if line.strip()]))


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("checkout")
  parser.add_argument("--bitrate", type=int, choices=range(3), default=2)
  parser.add_argument("--traces", type=int, default=3, help="of each of high, medium, low and mixed")
  parser.add_argument("--readers", type=int, default=3)
  parser.add_argument("--details", action="store_true", help="every session")
  parser.add_argument("--lookahead", default=os.path.join(ROOT, "scripts/lookahead"))
  options = parser.parse_args()
  program = os.path.abspath(options.lookahead)
  theirs = Theirs(options.checkout)
  ours = Ours(program, theirs.folder)
  data = os.path.join(theirs.checkout, "data")
  readers = theirs.readers(options.readers)
  print(f"{'policy':12} {'traces':7} {'sessions':>8} {'stalling':>8} {'stall s':>9} {'ours':>9} {'largest':>9} "
        f"{'wasted kB':>10} {'ours':>9} {'twice':>8} {'left':>6}")
  differing = 0
  for policy, kind in itertools.product(LUA, ("high", "medium", "low", "mixed")):
    sums = dict.fromkeys(("sessions", "stalling", "stall", "our stall", "largest", "wasted", "our waste", "twice", "left"), 0.0)
    for number, video in itertools.product(range(options.traces), range(7)):
      theirs.first(video)
      trace = read(os.path.join(data, "network_traces", kind, str(number)), float)
      name = theirs.videos[video]
      sizes = read(os.path.join(data, "short_video_size", name, f"video_size_{options.bitrate}"), int)[0]
      times, left = read(os.path.join(data, "user_ret", name), float)
      for index, reader in enumerate(readers):
        with contextlib.redirect_stdout(io.StringIO()):
          watched = int(theirs.retention([1000 * time for time in times], left, reader[0]).get_ret_duration())
        if watched == 0:
          continue
        their = theirs.play(policy, options.bitrate, trace, reader)
        our = ours.play(policy, watched, downloads(trace, sizes))
        our_waste = sum(sizes[math.ceil(watched / 1000):our["fetched"]])
        difference = our["stall"] - their["stall"]
        rest = their["wasted"] - their["twice"] - our_waste
        differing += abs(difference) > 0.001 or rest != 0 or their["fetched"] != our["fetched"]
        if options.details:
          print(f"{policy} {kind}/{number} {name} reader {index}: watched {watched / 1000:.3f} s, stall {their['stall'] / 1000:.3f} "
                f"{our['stall'] / 1000:.3f} s, fetched {their['fetched']} {our['fetched']}, wasted {their['wasted']:.0f} {our_waste} B, "
                f"twice {their['twice']:.0f} B")
        for key, value in (("sessions", 1), ("stalling", any_stall(our)), ("stall", their["stall"] / 1000),
                           ("our stall", our["stall"] / 1000), ("wasted", their["wasted"] / 1000), ("our waste", our_waste / 1000),
                           ("twice", their["twice"] / 1000), ("left", rest / 1000)):
          sums[key] += value
        sums["largest"] = max(sums["largest"], abs(difference) / 1000)
    print(f"{policy:12} {kind:7} {sums['sessions']:8.0f} {sums['stalling']:8.0f} {sums['stall']:9.3f} {sums['our stall']:9.3f} "
          f"{sums['largest']:9.6f} {sums['wasted']:10.1f} {sums['our waste']:9.1f} {sums['twice']:8.1f} {sums['left']:6.1f}")
  print(f"{differing} sessions differ" if differing else "No session differs")
  return 1 if differing else 0


def any_stall(our):
  """Whether the reader had to wait after the first chunk."""
  return our["values"]["stalls"] > 1


if __name__ == "__main__":
  sys.exit(main())
