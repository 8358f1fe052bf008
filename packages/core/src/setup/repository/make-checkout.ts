import { randomBytes } from "node:crypto"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { projectGit } from "../../ground/git/project-git.ts"
import { type Environment, runGit } from "../../ground/git/run-git.ts"

export interface CheckoutOrigin {
  env: Environment
  /** The objects of the mirror: the checkout borrows them. */
  objects: string
  url: string
  /** The branch of the server that the checkout knows, and its commit. */
  ref: string
  commit: string
}

export interface CheckoutFiles {
  /** Its name, checked out at `head`. */
  branch: string
  head: string
  /** The commit whose files it has, when they are others than those of `head`; null for none. */
  files?: string | null
  /** Puts more into the directory before anybody else sees it. */
  fill?: (directory: string) => Promise<void>
}

/**
 * Makes a repository of its own with the files of a commit, at a path where nothing is. It is there with all of its files,
 * or not at all.
 * @throws GitError
 */
export async function makeCheckout(
  directory: string,
  { env, objects, url, ref, commit }: CheckoutOrigin,
  { branch, head, files = head, fill }: CheckoutFiles,
): Promise<void> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  const made = `${directory}.${randomBytes(3).toString("hex")}`
  const git = (args: string[]) => projectGit({ directory: made, env, timeout: 20 * 60_000 }, args)
  try {
    await mkdir(made, { mode: 0o700 })
    await runGit(["init", "--quiet", "--template=", "-b", branch, made], { cwd: made, env })
    await borrow(made, objects)
    await git(["remote", "add", "origin", url])
    await git(["update-ref", `refs/remotes/origin/${ref}`, commit])
    if (files !== null) await git(["reset", "--quiet", "--hard", files])
    if (files !== head) await git(["reset", "--quiet", head])
    await fill?.(made)
    await rename(made, directory)
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    throw error
  }
}

/** Lets the repository in a directory have the objects of the mirror, and of no other. */
export async function borrow(directory: string, objects: string): Promise<void> {
  const info = join(directory, ".git/objects/info")
  await mkdir(info, { recursive: true })
  await writeFile(join(info, "alternates"), `${objects}\n`)
}
