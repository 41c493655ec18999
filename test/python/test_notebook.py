# SPDX-License-Identifier: GPL-2.0-only
"""In a notebook's kernel."""

import os
import pathlib
import time

import pytest

import lossless as ll

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "python" / "incast.ipynb"


@pytest.fixture(autouse=True)
def package_is_found(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(ll.__file__).parents[1]))


def test_example(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pages = [output["data"] for output in outputs if "data" in output]
    tables = [page["text/html"] for page in pages if "text/html" in page]  # not how far it is
    assert "flows completed" in tables[0]
    assert "<th>slowdown</th>" in tables[1]
    assert any("image/png" in page for page in pages)
    assert "threshold" in outputs[-1]["text"]


def test_interrupt(tmp_path):
    manager = nbclient.client.KernelManager()
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        mark = tmp_path / "running"
        asked = client.execute("import lossless as ll, pathlib\n"
                               "def again():\n"
                               "    ll.Simulator.schedule('1us', again)\n"
                               "again()\n"
                               f"pathlib.Path({str(mark)!r}).touch()\n"
                               "ll.Simulator.run()", stop_on_error=False)  # or it aborts the next
        while not mark.exists():
            time.sleep(0.05)
        time.sleep(0.3)
        os.kill(manager.provisioner.pid, 2)
        assert reply(client, asked)["ename"] == "KeyboardInterrupt"
        assert reply(client, client.execute("ll.Simulator.destroy(); ll.Fabric.star(2)"))["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def reply(client, asked):
    """The answer to a request."""
    while True:
        message = client.get_shell_msg(timeout=60)
        if message["parent_header"].get("msg_id") == asked:
            return message["content"]
