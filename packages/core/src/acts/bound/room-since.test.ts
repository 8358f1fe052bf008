import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { roomSince } from "./room-since.ts"

const kiB = 1024

function place(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-room-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

test("changed files count; older files and files behind links do not", () => {
  const [inside, outside] = [place(), place()]
  writeFileSync(path.join(outside, "big"), Buffer.alloc(512 * kiB, 1))
  symlinkSync(outside, path.join(inside, "link"))
  mkdirSync(path.join(inside, "in"))
  writeFileSync(path.join(inside, "in/file"), Buffer.alloc(64 * kiB, 1))
  expect(roomSince([inside], 0, 1e9)).toBe(64 * kiB)
  expect(roomSince([inside], Date.now() + 60_000, 1e9)).toBe(0)
})

test("a path too long for the system does not end the count", () => {
  const directory = place()
  const deeper =
    'name=$(printf "%0200d" 0); for i in $(seq 30); do mkdir $name && cd $name || exit 1; done; echo x > file'
  execFileSync("bash", ["-c", deeper], { cwd: directory })
  writeFileSync(path.join(directory, "file"), Buffer.alloc(64 * kiB, 1))
  expect(roomSince([directory], 0, 1e9)).toBeGreaterThanOrEqual(64 * kiB)
})
