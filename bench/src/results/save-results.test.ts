import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { describeCommit } from "./describe-commit.ts"
import { describeMachine } from "./describe-machine.ts"
import type { Results } from "./results.ts"
import { saveResults } from "./save-results.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-results-"))
})
afterEach(() => rm(directory, { recursive: true }))

const machine = { ...describeMachine(), load: 0.2 }

function results(day: number, turn: number | null, more: Partial<Results> = {}): Results {
  return {
    commit: String(day).repeat(40),
    subject: `Day ${day}`,
    date: `2026-01-0${day}T10:00:00.000Z`,
    machine,
    figures: [{ name: "turn", label: "plain turn", unit: "ms", measured: turn, aim: 10 }],
    ...more,
  }
}

test("results are saved with their machine, and compared with earlier ones", async () => {
  await saveResults(directory, results(2, 11))
  const file = await saveResults(directory, results(3, 22))
  expect(path.basename(file)).toBe("2026-01-03-3333333.json")
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(results(3, 22))
  const readme = await readFile(path.join(directory, "README.md"), "utf8")
  expect(readme).toContain("| measurement | 2222222 2026-01-02 | 3333333 2026-01-03 | ratio |")
  expect(readme).toContain("| plain turn | 11.0 ms | 22.0 ms | 2.00 |")
  expect(readme).toContain(`- \`3333333\` Day 3: ${machine.cores} × ${machine.cpu}`)
  expect(readme).toContain(`Node ${process.versions.node}, load 0.2`)
})

test("the ratio is of results of one machine; failures are shown", async () => {
  await saveResults(directory, results(1, 10))
  await saveResults(directory, results(2, 50, { machine: { ...machine, cores: machine.cores + 2 } }))
  await saveResults(directory, results(3, 12))
  const readme = () => readFile(path.join(directory, "README.md"), "utf8")
  expect(await readme()).toContain("| plain turn | 10.0 ms | 50.0 ms | 12.0 ms | 1.20 |")
  await saveResults(directory, results(4, null))
  expect(await readme()).toContain("| plain turn | 10.0 ms | 50.0 ms | 12.0 ms | failed |  |")
})

test("a commit's second run replaces the first; the README shows six runs", async () => {
  for (const day of [1, 2, 3, 4, 5, 6, 7, 7]) await saveResults(directory, results(day, day))
  expect((await readdir(directory)).filter((name) => name.endsWith(".json"))).toHaveLength(7)
  const readme = await readFile(path.join(directory, "README.md"), "utf8")
  expect(readme).not.toContain("1111111")
  expect(
    readme
      .split("\n")
      .find((line) => line.startsWith("| measurement"))
      ?.match(/2026-01/g),
  ).toHaveLength(6)
})

test("a commit is described unless files other than saved results have changed", async () => {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, stdio: "ignore" })
  git("init", "--quiet")
  await writeFile(path.join(directory, "main.ts"), "1\n")
  git("add", "--all")
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "Begin")
  await mkdir(path.join(directory, "bench/results"), { recursive: true })
  await writeFile(path.join(directory, "bench/results/new.json"), "{}")
  expect(describeCommit(directory)).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), subject: "Begin" })
  await writeFile(path.join(directory, "main.ts"), "2\n")
  expect(() => describeCommit(directory)).toThrow("main.ts")
})
