"""A worker in Python: takes what is ready, works on it, completes or gives back, until the list is empty.

usage: python3 worker.py NAME    (needs only `wl` on the PATH)
"""

import json
import subprocess
import sys

NOTHING_READY = 6


def wl(*words):
    """The exit code of `wl` and its one JSON document."""
    run = subprocess.run(["wl", *words, "--json"], stdout=subprocess.PIPE, text=True)
    return run.returncode, json.loads(run.stdout)


def work(task):
    """Here the real work would be done: call a model, run a program."""
    print(f"works on #{task['id']} {task['subject']}", flush=True)


def main(name):
    while True:
        code, taken = wl("next", "--wait", "1s", "--as", name)
        if code == NOTHING_READY:
            if wl("list")[1]["count"] == 0:
                return 0
            continue
        if code != 0:
            print(taken["error"]["message"], file=sys.stderr)
            return code
        task, token = taken["task"], str(taken["token"])
        try:
            work(task)
        except Exception as error:
            wl("release", task["id"], "--as", name, "--token", token, "--reason", str(error))
            continue
        # Exit code 5 (stale_token) means that the claim was lost meanwhile: what was done does not count.
        wl("done", task["id"], "--as", name, "--token", token)


sys.exit(main(sys.argv[1]))
