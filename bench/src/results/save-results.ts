import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { growthTable } from "./growth-table.ts"
import { Results } from "./results.ts"

const introduction = `# Results

What \`pnpm bench --save\` measured, newest last; smaller is better. \`ratio\` is the last column divided by the one
before it of the same machine: 1.00 is as it was, more is slower or larger. Save on a quiet machine only: the load says
how quiet it was. The whole figures are in the files beside this one.
`

/**
 * Writes the results to a file named by day and commit, and updates the README, which shows all files side by side. A
 * second run of a commit on the same day replaces the first.
 * @returns the file
 */
export async function saveResults(directory: string, results: Results): Promise<string> {
  await mkdir(directory, { recursive: true })
  const file = path.join(directory, `${results.date.slice(0, 10)}-${results.commit.slice(0, 7)}.json`)
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  const names = (await readdir(directory)).filter((name) => name.endsWith(".json"))
  const read = async (name: string) => Results.parse(JSON.parse(await readFile(path.join(directory, name), "utf8")))
  const table = growthTable(await Promise.all(names.map(read)))
  await writeFile(path.join(directory, "README.md"), `${introduction}\n${table}`)
  return file
}
