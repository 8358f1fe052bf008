import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { run } from "../setup/run.mjs"

/**
 * What complete test runs have proven.
 * @typedef {object} Proven
 * @property {{ commit: string, date: string }[]} commits on which all tests passed, newest first
 * @property {Record<string, number>} seconds of each slow test in the newest of these runs: Vitest files by path,
 *   Playwright tests as "file › group › title"
 */

const file = "e2e/proven.json"
/** Number of commits that are kept: enough that a branch which is not too old contains one of them. */
const kept = 20
/** A faster Vitest file (seconds) runs each time and needs no record. */
const slowFrom = 2

/**
 * @param {string} root of the repository
 * @returns {Promise<Proven>} empty when there is no file
 */
export async function readProven(root) {
  try {
    return JSON.parse(await readFile(path.join(root, file), "utf8"))
  } catch (error) {
    if (error.code === "ENOENT") return { commits: [], seconds: {} }
    throw new Error(`${file} cannot be read: ${error.message}. Remove it, and npm run test:full writes a new one.`)
  }
}

/**
 * The files that differ from the newest proven commit, including uncommitted and new ones.
 * @param {string} root
 * @param {Proven} proven
 * @returns {Promise<{ commit: string, files: string[] } | null>} null when no proven commit is in this history
 */
export async function changedSinceProven(root, { commits }) {
  const git = async (...args) => await run(["git", "-C", root, ...args])
  for (const { commit } of commits) {
    if ((await git("merge-base", "--is-ancestor", commit, "HEAD")).code !== 0) continue
    const answers = [
      await git("diff", "--name-only", "--no-renames", "-z", commit),
      await git("ls-files", "--others", "--exclude-standard", "-z"),
    ]
    if (answers.some(({ code }) => code !== 0)) return null
    const names = answers.flatMap(({ output }) => output.split("\0")).filter((name) => name !== "" && name !== file)
    return { commit, files: names }
  }
  return null
}

/**
 * Records that all tests passed on the checked-out commit.
 * @param {string} root
 * @param {Record<string, number>} seconds of each test or file
 * @returns {Promise<string>} a sentence about what was done
 */
export async function recordProof(root, seconds) {
  const git = async (...args) => (await run(["git", "-C", root, ...args])).output.trim()
  const differing = (await git("status", "--porcelain"))
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(file))
  if (differing.length > 0) return `${file} stays as it is: ${differing.length} files differ from the commit.`
  const proven = await readProven(root)
  const commit = await git("rev-parse", "HEAD")
  const date = await git("show", "-s", "--format=%cs", "HEAD")
  const commits = [{ commit, date }, ...proven.commits.filter((each) => each.commit !== commit)].slice(0, kept)
  const slow = Object.entries(seconds)
    .filter(([test, took]) => test.includes(" › ") || took >= slowFrom)
    .map(([test, took]) => [test, Math.round(took * 10) / 10])
    .sort(([one], [other]) => (one < other ? -1 : 1))
  await writeFile(path.join(root, file), `${JSON.stringify({ commits, seconds: Object.fromEntries(slow) }, null, 2)}\n`)
  return `${file} now says that all tests passed on ${commit.slice(0, 8)}. Commit it.`
}
