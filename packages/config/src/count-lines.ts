import { execFileSync } from "node:child_process"
import { parseArgs } from "node:util"
import { parseSync } from "oxc-parser"
import { repository } from "./find-source.ts"

/**
 * Counts the lines of source in `packages`, `apps` and `prisma`: TypeScript and CSS as it is formatted, without blank
 * lines, comments and tests. With the name of a commit the lines of that one, with two the difference.
 *
 *     node packages/config/src/count-lines.ts [COMMIT [COMMIT]]
 */

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: 512 * 1024 * 1024 })

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
  const listed = git("ls-tree", "-r", "--name-only", commit, "--", "packages", "apps", "prisma")
  const files = listed.split("\n").filter(isSource)
  const counts = new Map<string, number>()
  for (const file of files) {
    const name = packageOf(file)
    counts.set(name, (counts.get(name) ?? 0) + linesOf(file, git("show", `${commit}:${file}`)))
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
