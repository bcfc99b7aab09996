"""How much memory may be had here: what is left of the machine's, or of a container's limit where that is less."""

import contextlib
import pathlib

# By version of cgroups: where they lie, the limit's file, what is used, and what names the file pages of all within.
VERSIONS = {2: ("sys/fs/cgroup", "memory.max", "memory.current", ""),
            1: ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_")}


def left_of(cgroup, limit, used, prefix):
    """Bytes that are left of this cgroup's own limit, or None where it has none."""
    with contextlib.suppress(OSError, ValueError):
        bytes_left = int((cgroup / limit).read_text()) - int((cgroup / used).read_text())
        stat = dict(line.split() for line in (cgroup / "memory.stat").read_text().splitlines())
        return max(0, bytes_left + sum(int(stat.get(f"{prefix}{kind}_file", 0)) for kind in ("inactive", "active")))
    return None


def free_bytes(root="/"):
    root = pathlib.Path(root)
    found = [1024 * int(line.split()[1]) for line in (root / "proc/meminfo").read_text().splitlines() if line.startswith("MemAvailable:")]
    with contextlib.suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            top, *names = VERSIONS[1 if controllers else 2]
            here = pathlib.PurePath(path.lstrip("/"))
            for cgroup in [here, *here.parents] if ".." not in here.parts else [pathlib.PurePath()]:
                found.append(left_of(root / top / cgroup, *names))
    return min((left for left in found if left is not None), default=None)
