#!/bin/sh
# A worker in a few lines: takes what is ready, works on it, completes it, until the list is empty.
# usage: sh worker.sh NAME
name=$1
while :; do
    answer=$(wl next --wait 1s --json --as "$name")
    case $? in
    0) ;;
    6) # Nothing is ready. Either all is done, or others are still at work on what comes before.
        if wl list --json | grep -q '"count": 0'; then exit 0; fi
        continue ;;
    *)
        printf '%s\n' "$answer" >&2
        exit 1 ;;
    esac
    id=$(printf '%s\n' "$answer" | sed -n 's/^    "id": "\(.*\)",$/\1/p') # or: jq -r .task.id
    echo "$name works on #$id"
    # Here the real work would be done, for example: codex exec "$(wl show "$id")"
    wl done "$id" --as "$name" >/dev/null || wl release "$id" --as "$name" --reason "could not complete it"
done
