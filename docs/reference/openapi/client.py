#!/usr/bin/env python3
"""Prints why objects are not synced, from the sync agent's status. Exit status 1 if there are any.

  TOKEN=$(kubectl create token operator --namespace monitoring) ./client.py http://localhost:8085
"""

import json
import os
import sys
import urllib.error
import urllib.request


def call(server, method, path):
    request = urllib.request.Request(server + path, method=method)
    request.add_header("Accept", "application/json")
    if "TOKEN" in os.environ:
        request.add_header("Authorization", "Bearer " + os.environ["TOKEN"])
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        # 401, 403, 404 and 503 carry a message.
        sys.exit(f"{method} {path}: {error.code}: {json.load(error)['message']}")


def main(server):
    status = call(server, "GET", "/actuator/status")
    problems = list(status["reasons"])
    for name, published in status.get("publishedResources", {}).items():
        problems += [f"{name}: {c['type']}: {c['message']}" for c in published["conditions"] if c["status"] != "True"]
        failing = published.get("sync", {}).get("failing", {})
        problems += [f"{name}: {key}: {failure['message']}" for key, failure in failing.items()]
    print("\n".join(problems) or "everything is synced")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
