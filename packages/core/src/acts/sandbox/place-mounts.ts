import { lstatSync, realpathSync } from "node:fs"
import path from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { configNames } from "../../ground/rule/config-files.ts"
import { gitMounts } from "./git-mounts.ts"
import type { Mount } from "./mount.ts"
import type { SandboxPlace } from "./sandbox.ts"

/**
 * Files that shells and git read at start: written by a command, they would later run with the user's rights elsewhere.
 */
export const startFiles: readonly string[] =
  ".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .xprofile .gitconfig".split(
    " ",
  )

/**
 * The mounts of a project, parents before their contents. Every directory above a guarded or hidden file is held too:
 * otherwise a program could rename one, and the next sandbox would not guard the file.
 * @param staying further files that must not be moved together with their directories
 */
export function placeMounts(place: SandboxPlace, worktreesRoot: string, staying: readonly string[] = []): Mount[] {
  const { worktree, readable, writable, changes = [] } = place
  const ofGit = gitMounts(worktree, worktreesRoot)
  const special = [
    ...ofGit,
    ...(place.isReadOnly ? pointerToGit(worktree) : []),
    ...guardedFiles(place),
    ...place.hidden.flatMap((file) => hiddenMount(file)),
    ...readable.map((file): Mount => ({ kind: "read", path: file })),
    // What may be changed stays so where it is named as something to read, too.
    ...[...writable, ...changes].map((file): Mount => ({ kind: "write", path: file })),
  ]
  const held = [...special.map((mount) => mount.path), ...staying].flatMap((file) => directoriesAbove(file, worktree))
  const mounts = new Map<string, Mount>()
  for (const mount of [...held, { kind: "write", path: worktree } as const, ...special]) mounts.set(mount.path, mount)
  const all = [...mounts.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  if (!place.isReadOnly) return all
  // All of git's directory: in that of a submodule a file could make git read settings that start programs.
  const isChanged = (file: string) =>
    changes.some((change) => isWithin(change, file)) && !ofGit.some((mount) => isWithin(mount.path, file))
  const given = all.map((mount) => (isChanged(mount.path) ? mount : readOnly(mount)))
  // Nothing can be mounted at a path that does not exist in a directory that is only read, and nothing can be put there.
  return given.filter((mount) => mount.kind !== "shut-directory" || isWritable(directoryMount(given, mount.path)))
}

/** The innermost mount around a path. */
function directoryMount(mounts: readonly Mount[], file: string): Mount | undefined {
  return mounts.findLast((mount) => mount.path !== file && isWithin(mount.path, file))
}

function isWritable(mount: Mount | undefined): boolean {
  return mount?.kind === "write" || mount?.kind === "held-write"
}

function readOnly(mount: Mount): Mount {
  if (mount.kind === "held-write") return { kind: "held-read", path: mount.path }
  return mount.kind === "write" ? { ...mount, kind: "read" } : mount
}

/** The places of the project that a sandboxed program can change, without places inside others. */
export function changedPlaces({ worktree, writable }: SandboxPlace, worktreesRoot: string): string[] {
  const ofGit = gitMounts(worktree, worktreesRoot).flatMap(({ kind, path: directory }) =>
    kind === "write" || kind === "held-write" ? [directory] : [],
  )
  const all = [...new Set([worktree, ...ofGit, ...writable])]
  return all.filter((place) => !all.some((other) => other !== place && isWithin(other, place)))
}

function guardedFiles({ worktree, directory }: SandboxPlace): Mount[] {
  const names = directoriesBetween(worktree, directory).flatMap((at) =>
    [...configNames, ...startFiles].map((name) => path.join(at, name)),
  )
  return names.flatMap((file): Mount[] => {
    const real = realPath(file)
    // The target of a link to outside the worktree is not mounted.
    return real !== null && isWithin(worktree, real) ? [{ kind: "held-read", path: real }] : []
  })
}

/**
 * The file that names git's directory in a linked worktree. What changes parts of a project that it only reads is not looked
 * at afterwards, and could put another directory in its place.
 */
function pointerToGit(worktree: string): Mount[] {
  const file = path.join(worktree, ".git")
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? [{ kind: "held-read", path: file }] : []
}

function hiddenMount(file: string): Mount[] {
  const real = realPath(file)
  if (real === null) return []
  return [{ kind: lstatSync(real).isDirectory() ? "empty-directory" : "empty-file", path: real }]
}

/** The directories between a worktree and a file in it, excluding both. */
function directoriesAbove(file: string, worktree: string): Mount[] {
  const parent = path.dirname(file)
  if (parent === worktree || !isWithin(worktree, parent)) return []
  return directoriesBetween(worktree, parent)
    .slice(1)
    .map((directory) => ({ kind: "held-write", path: directory }))
}

function realPath(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
