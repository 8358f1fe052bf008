import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { root } from "../setup/root.mjs"
import { areaOf, changedAreas, chooseTests } from "./choose-tests.mjs"
import { changedSinceProven, readProven, recordProof } from "./proven.mjs"

const areas = {
  ground: { sources: ["core"], tests: [] },
  review: { sources: ["core/review", "web/desk"], tests: ["e2e/review.spec.ts"] },
  share: { sources: ["core/share"], tests: ["e2e/share.spec.ts"] },
}

const candidates = [
  { id: "journey", file: "e2e/first.spec.ts", seconds: 9, journey: true },
  { id: "review", file: "e2e/review.spec.ts", seconds: 9 },
  { id: "share", file: "e2e/share.spec.ts", seconds: 9 },
  { id: "core/review/slow.test.ts", file: "core/review/slow.test.ts", seconds: 9 },
  ...[1, 2, 3, 4, 5, 6].map((number) => ({ id: `more ${number}`, file: `e2e/more-${number}.spec.ts`, seconds: 10 })),
]

const choose = (changed, { seed = 1, budget = 0 } = {}) => chooseTests(candidates, { areas, changed, seed, budget })
const idsOf = ({ chosen }) => chosen.map(({ id }) => id)

test("a change runs the journeys and all tests of its area", () => {
  const chosen = choose(changedAreas(["web/desk/page.tsx"], areas))
  expect(idsOf(chosen)).toEqual(["journey", "review", "core/review/slow.test.ts"])
  expect(chosen).toMatchObject({ journeys: 1, changed: 2, drawn: 0 })
})

test("a file belongs to the longest folder above it", () => {
  expect(areaOf("core/review/desk/row.ts", areas)).toBe("review")
  expect(areaOf("core/reviewer.ts", areas)).toBe("ground")
  expect(areaOf("elsewhere.ts", areas)).toBeUndefined()
})

test("a changed or new test runs itself and nothing else", () => {
  expect(idsOf(choose(changedAreas(["e2e/share.spec.ts"], areas)))).toEqual(["journey", "share"])
  const added = { id: "added", file: "e2e/added.spec.ts", seconds: undefined }
  const nothing = { areas: new Set(), files: new Set() }
  expect(idsOf(chooseTests([added], { areas, changed: nothing, seed: 1, budget: 0 }))).toEqual(["added"])
})

test.each([
  ["without an area", "strange/file.ts"],
  ["that affects all tests", "pnpm-lock.yaml"],
])("a changed file %s runs everything", (_what, file) => {
  const chosen = choose(changedAreas(["core/share/link.ts", file], areas))
  expect(chosen.skipped).toEqual([])
})

test("a change of documentation runs only the journeys", () => {
  expect(idsOf(choose(changedAreas(["docs/sharing.md", "README.md", "biome.json"], areas)))).toEqual(["journey"])
})

test("other tests are drawn by the seed, within the budget", () => {
  const changed = changedAreas(["docs/sharing.md"], areas)
  const drawnBy = (seed) => idsOf(choose(changed, { seed, budget: 25 }))
  expect(drawnBy(7)).toEqual(drawnBy(7))
  const all = new Set(Array.from({ length: 60 }, (_, seed) => drawnBy(seed)).flat())
  expect(all).toEqual(new Set(candidates.map(({ id }) => id)))
  for (let seed = 0; seed < 60; seed += 1) {
    const chosen = choose(changed, { seed, budget: 25 })
    expect(chosen.drawn).toBeGreaterThan(0)
    const seconds = chosen.chosen.filter(({ journey }) => !journey).reduce((sum, each) => sum + each.seconds, 0)
    expect(seconds).toBeLessThanOrEqual(25)
  }
})

const exec = promisify(execFile)

/** A repository with one commit. */
async function repository() {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-proven-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const git = async (...args) => {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    return (await exec("git", ["-C", directory, ...identity, ...args])).stdout.trim()
  }
  await git("init", "--quiet")
  await exec("mkdir", [path.join(directory, "e2e")])
  await writeFile(path.join(directory, "a.ts"), "1\n")
  await git("add", ".")
  await git("commit", "--quiet", "-m", "First")
  return { directory, git }
}

test("changes since the proven commit are found, committed or not", async () => {
  const { directory, git } = await repository()
  expect(await changedSinceProven(directory, await readProven(directory))).toBeNull()
  await recordProof(directory, { "src/slow.test.ts": 12.34, "src/fast.test.ts": 0.2, "a.spec.ts › works": 0.51 })
  const proven = await readProven(directory)
  expect(proven.seconds).toEqual({ "a.spec.ts › works": 0.5, "src/slow.test.ts": 12.3 })
  expect(proven.commits).toEqual([expect.objectContaining({ commit: await git("rev-parse", "HEAD") })])
  await git("add", ".")
  await writeFile(path.join(directory, "b.ts"), "2\n")
  await git("add", ".")
  await git("commit", "--quiet", "-m", "Second")
  await writeFile(path.join(directory, "a.ts"), "3\n")
  await writeFile(path.join(directory, "c.ts"), "4\n")
  expect(await changedSinceProven(directory, proven)).toMatchObject({ files: ["a.ts", "b.ts", "c.ts"] })
})

test("a proof is not kept while files differ from the commit", async () => {
  const { directory } = await repository()
  await writeFile(path.join(directory, "a.ts"), "2\n")
  expect(await recordProof(directory, {})).toContain("1 files differ")
  expect(await readProven(directory)).toEqual({ commits: [], seconds: {} })
})

const listed = JSON.parse(await readFile(path.join(root, "scripts/test/areas.json"), "utf8"))

test("every browser and service test belongs to an area", async () => {
  const files = (await readdir(path.join(root, "e2e/src"))).filter((file) => /\.(?:spec|test)\.ts$/.test(file))
  const named = new Set(Object.values(listed).flatMap(({ tests }) => tests))
  expect(files.map((file) => `e2e/src/${file}`).filter((file) => !named.has(file))).toEqual([])
})

test("the areas name only files and folders that are there", () => {
  const named = Object.values(listed).flatMap(({ sources, tests }) => [...sources, ...tests])
  expect(named.filter((each) => !existsSync(path.join(root, each)))).toEqual([])
})

test("every source file belongs to an area", async () => {
  const { stdout } = await exec("git", [
    "-C",
    root,
    "ls-files",
    "--",
    "apps",
    "packages",
    "prisma",
    "e2e",
    "bench",
    "deploy",
  ])
  const sources = stdout.split("\n").filter((file) => file !== "" && !file.endsWith(".md"))
  const unknown = sources.filter((file) => !file.startsWith("e2e/") || file.startsWith("e2e/src/fixtures/"))
  expect(unknown.filter((file) => areaOf(file, listed) === undefined)).toEqual([])
})
