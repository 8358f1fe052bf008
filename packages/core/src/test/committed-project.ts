import { execFileSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"

const git = (directory: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: directory, stdio: "pipe" })

/** Makes a git project of a directory, with `kept.txt` committed and Docket's own data ignored. */
export async function committedProject(directory: string): Promise<void> {
  git(directory, "init", "-q")
  await writeFile(join(directory, ".gitignore"), ".data*\n.home\n")
  await writeFile(join(directory, "kept.txt"), "as it was\n")
  git(directory, "add", "-A")
  git(directory, "commit", "-qm", "first")
}
