import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { parseFrontmatter } from "./frontmatter.ts"
import { parseAgentMarkdown } from "./parse-agent-markdown.ts"
import { parseConfigText } from "./parse-config-text.ts"

const docs = fileURLToPath(new URL("../../../../../docs/", import.meta.url))

const ofPackage = "../packages/release/README-of-package.md"

/** The samples of a language in the documentation and in the package's README, each with where it stands. */
function samplesOf(language: string): [string, string][] {
  return [...readdirSync(docs), ofPackage]
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => {
      const text = readFileSync(docs + file, "utf8")
      return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(({ 1: found, 2: sample = "", index }) =>
        found === language ? [[`${file}:${text.slice(0, index).split("\n").length}`, sample] as [string, string]] : [],
      )
    })
}

/** JSON that is no docket.json: files of a team, of other programs and of this repository, and what a webhook is sent. */
const isOther = ([place, sample]: [string, string]) =>
  /^(?:team|testing|mcp-server|editors)\.md/.test(place) || /^\s*\{\s*"type"/.test(sample)

test.each(samplesOf("json").filter((sample) => !isOther(sample)))(
  "the docket.json at %s is read whole",
  (_, sample) => {
    const { config, problems } = parseConfigText("docket.json", sample, { toolFiles: ["greet"] })
    expect({ problems, keys: Object.keys(config ?? {}).length > 0 }).toEqual({ problems: [], keys: true })
  },
)

/** Samples with front matter are plain text blocks, because the formatter would break the front matter. */
const withFrontMatter = samplesOf("text").filter(([, sample]) => sample.startsWith("---\n"))

test.each(withFrontMatter)("the file at %s is read whole", (place, sample) => {
  const parsed = parseFrontmatter(sample)
  expect("refused" in parsed ? parsed.refused : null).toBeNull()
  if (!place.startsWith("agents.md")) return
  const { agent, problems } = parseAgentMarkdown({ file: "reviewer.md", name: "reviewer", origin: "docket" }, sample)
  expect(problems).toEqual([])
  expect(agent).toMatchObject({ permission: { edit: "deny", bash: { "*": "ask", "git diff *": "allow" } } })
})

test("the documentation has samples of each kind", () => {
  expect(samplesOf("json").length).toBeGreaterThan(10)
  expect(samplesOf("json").filter(([place]) => place.startsWith(ofPackage))).toHaveLength(1)
  expect(withFrontMatter.length).toBeGreaterThan(2)
})
