"""Animations as MP4, made by the program ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from importlib import import_module
from pathlib import Path

from devs_robotics.core.extras import sentence
from devs_robotics.view.export.options import ExportError
from devs_robotics.view.export.raster import Frames

QUALITY = 20
"""Constant rate factor of H.264."""


def mp4(frames: Frames, fps: int) -> bytes:
    """An animation in H.264, which browsers and presentations play.

    Raises:
        ExportError: there is no ffmpeg, or it fails
    """
    program = _program()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        command = [
            program, "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{frames.width}x{frames.height}", "-r", str(fps), "-i", "-", "-an", "-c:v", "libx264",
            "-crf", str(QUALITY), "-pix_fmt", "yuv420p", "-threads", "1", "-movflags", "+faststart",
            "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", str(path),
        ]  # fmt: skip
        with (Path(folder) / "said").open("w+b") as said:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
            assert process.stdin is not None
            try:
                for image in frames:
                    process.stdin.write(image.tobytes())
                process.stdin.close()
            except BrokenPipeError:  # it has ended, and has said why
                pass
            finally:
                if process.wait() and not path.exists():
                    path.touch()
            if process.returncode:
                said.seek(0)
                why = said.read().decode(errors="replace").strip().splitlines()[:1]
                raise ExportError(f"{program} has failed ({' '.join(why) or process.returncode}): make a .gif instead")
        return path.read_bytes()


def _program() -> str:
    """Where ffmpeg is."""
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise ExportError(f"{sentence('an .mp4 needs', 'imageio_ffmpeg')}, or install ffmpeg, or make a .gif") from None
