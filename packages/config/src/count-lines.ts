import { execFileSync } from "node:child_process"
import { parseArgs } from "node:util"
import { parseSync } from "oxc-parser"
import { repository } from "./find-source.ts"

/**
 * Counts the lines of source in `packages`, `apps` and `prisma`: TypeScript and CSS as it is formatted, without blank
 * lines, comments and tests. With one commit, it counts there; with two, it prints the difference.
 *
 *     node packages/config/src/count-lines.ts [COMMIT [COMMIT]]
 */

const git = (args: string[], input = "") =>
  execFileSync("git", args, { cwd: repository, input, maxBuffer: 512 * 1024 * 1024 })

/** The texts of files of a commit, in their order. */
function readFiles(commit: string, files: string[]): string[] {
  const all = git(["cat-file", "--batch"], files.map((file) => `${commit}:${file}\n`).join(""))
  let at = 0
  return files.map(() => {
    // Before each file stands a line that ends with its length, behind it a line break.
    const begin = all.indexOf("\n", at) + 1
    const end = begin + Number(all.subarray(at, begin).toString().split(" ").at(-1))
    at = end + 1
    return all.subarray(begin, end).toString()
  })
}

const isSource = (file: string) =>
  /^(?:packages|apps|prisma)\/.*\.(?:tsx?|mts|mjs|js|css)$/.test(file) &&
  !/\.(?:test|spec)\.\w+$|\/(?:test|contract|fixtures|generated)\/|\/test-[^/]*\.ts$|next-env\.d\.ts$/.test(file)

function linesOf(file: string, source: string): number {
  let text = source
  if (file.endsWith(".css")) text = text.replace(/\/\*[\s\S]*?\*\//g, "")
  else
    for (const { start, end } of parseSync(file, source).comments.toReversed())
      text = text.slice(0, start) + text.slice(end)
  return text.split("\n").filter((line) => line.trim() !== "").length
}

/** `packages/core` for what lies there, `prisma` for the folder at the root. */
const packageOf = (file: string) => /^(?:(?:apps|packages)\/)?[^/]+/.exec(file)?.[0] ?? file

function countLines(commit: string): Map<string, number> {
  const listed = git(["ls-tree", "-r", "--name-only", commit, "--", "packages", "apps", "prisma"]).toString()
  const files = listed.split("\n").filter(isSource)
  const counts = new Map<string, number>()
  for (const [index, text] of readFiles(commit, files).entries()) {
    const file = files[index] ?? ""
    counts.set(packageOf(file), (counts.get(packageOf(file)) ?? 0) + linesOf(file, text))
  }
  return counts
}

const sum = (counts: Map<string, number>, isCounted: (name: string) => boolean) =>
  [...counts].filter(([name]) => isCounted(name)).reduce((all, [, count]) => all + count, 0)

function print(counts: Map<string, number>): void {
  for (const [name, count] of [...counts].sort())
    process.stdout.write(`${name.padEnd(20)} ${String(count).padStart(8)}\n`)
  const outside = sum(counts, (name) => name !== "apps/web")
  process.stdout.write(`${"outside of apps/web".padEnd(20)} ${String(outside).padStart(8)}\n`)
}

const [first = "HEAD", second] = parseArgs({ allowPositionals: true }).positionals
const before = countLines(first)
if (second === undefined) print(before)
else {
  const after = countLines(second)
  print(
    new Map(
      [...new Set([...before.keys(), ...after.keys()])].map((name) => [
        name,
        (after.get(name) ?? 0) - (before.get(name) ?? 0),
      ]),
    ),
  )
}
