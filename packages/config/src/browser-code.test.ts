import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { findSource, repository } from "./find-source.ts"
import { readLoaded } from "./read-loaded.ts"

const features = path.join(repository, "apps/web/src/features")

it.each([
  "frame/app-frame.tsx",
  "session-page/session-page.tsx",
  "transcript/transcript.tsx",
  "composer/composer.tsx",
  "agents/agents-panel.tsx",
  "replay/replay.tsx",
  "review-desk/review-page.tsx",
  "review-desk/minimap/minimap.tsx",
  "asks/ask-card.tsx",
  "comments/session-comments.tsx",
])("%s loads no schema code into the browser", async (file) => {
  const loaded = await readLoaded(path.join(features, file), findSource)
  expect(loaded.get("react")).toBeDefined()
  expect(loaded.get("zod")?.map((each) => path.relative(repository, each))).toBeUndefined()
})

const rows = "transcript/first/first-rows.tsx"

// The server renders the first document with `drawn`; the browser only loads the page and `sent`, which takes the
// document's rows over. So the browser must get each style sheet of `drawn` from them.

it.each([
  { page: "session-page/session-page.tsx", drawn: [rows], sent: ["transcript/first/sent-rows.tsx"] },
  {
    page: "review-desk/review-page.tsx",
    drawn: [rows, "review-desk/first/first-desk.tsx"],
    sent: ["transcript/first/sent-rows.tsx", "review-desk/first/sent-desk.tsx"],
  },
])("$page loads every style sheet that its first document shows", async ({ page, drawn, sent }) => {
  const ofDrawn = await readAllStyles(drawn)
  const ofPage = await readAllStyles([page, ...sent, "frame/app-frame.tsx"])
  expect(ofDrawn).toContain("transcript/transcript.module.css")
  expect([...ofDrawn].filter((sheet) => !ofPage.has(sheet))).toEqual([])
})

async function readAllStyles(files: readonly string[]): Promise<Set<string>> {
  return new Set((await Promise.all(files.map(readStyles))).flatMap((styles) => [...styles]))
}

/** The style sheets that are loaded together with a file of the features. */
async function readStyles(file: string): Promise<Set<string>> {
  const sheets = new Set<string>()
  await readLoaded(path.join(features, file), (from, specifier) => {
    if (specifier.endsWith(".css")) sheets.add(path.relative(features, path.resolve(path.dirname(from), specifier)))
    return findSource(from, specifier)
  })
  return sheets
}

it("follows value imports across files, but neither types nor lazy imports", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "docket-loaded-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = (name: string, source: string) => writeFile(path.join(folder, name), source)
  await write("a.ts", 'import { b } from "./b.ts"\nimport { type T } from "types-only"\nimport type { U } from "more"')
  await write(
    "b.ts",
    'export * from "./c.ts"\nexport type { V } from "still-more"\nexport const later = () => import("late")',
  )
  await write("c.ts", 'import "at-once"\nimport { type W, w } from "mixed"\nexport { a } from "./a.ts"')
  const loaded = await readLoaded(path.join(folder, "a.ts"), findSource)
  expect([...loaded.keys()]).toEqual(["at-once", "mixed"])
  expect(loaded.get("mixed")?.map((each) => path.basename(each))).toEqual(["a.ts", "b.ts", "c.ts"])
})
