import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { SandboxFixture } from "./sandbox-fixture.ts"

export interface PlantedProgram {
  program: string
  trace: string
  /** What it wrote each time that somebody ran it; empty when nobody did. */
  ran(): string
}

/** A program in the project that leaves a trace when somebody runs it. */
export function plantProgram(fixture: SandboxFixture): PlantedProgram {
  const program = path.join(fixture.project, "evil")
  const trace = path.join(fixture.outside, "ran")
  writeFileSync(program, `#!/bin/sh\necho "$0" >> ${trace}\n`)
  chmodSync(program, 0o755)
  return { program, trace, ran: () => (existsSync(trace) ? readFileSync(trace, "utf8") : "") }
}

/** The user's own git, outside of everything; what it said, also when it failed. */
export function usersGit(directory: string, ...args: string[]): string {
  try {
    return execFileSync("git", args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] }).toString()
  } catch (error) {
    return String(error)
  }
}

/** For commits of commands. */
export const author = "-c user.name=A -c user.email=a@example.org"

/** A script that makes a repository with one commit in a directory. */
export function repositoryScript(directory: string): string {
  return `git init -q ${directory} && (cd ${directory} && touch x && git add x && git ${author} commit -qm One)`
}
