import { z } from "zod"

/** The name of a branch. Source: git-check-ref-format(1). */
const BranchName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => name.split("/").every(isRefPart) && !/\.\.|@\{|^-|\.$/.test(name), {
    error: "expected the name of a branch, as main",
  })

function isRefPart(part: string): boolean {
  return part !== "" && !/[\s\p{Cc}~^:?*[\\]|^\.|\.lock$/u.test(part)
}

/** The name under which a workspace keeps what signs in to a repository. */
export const CredentialName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, { error: "expected small letters, digits, dots and dashes, 63 at most" })
export type CredentialName = z.infer<typeof CredentialName>

/** What signs in to a server of repositories, without its token. */
export interface Credential {
  name: CredentialName
  /** The server that gets it, as `https://git.example.org`. */
  origin: string
  username: string
}

/** A directory within a repository: relative, with `/`, and never up. */
export const Subdirectory = z
  .string()
  .max(1_000)
  .refine((path) => path.split("/").every((name) => name !== "" && !/^\.{1,2}$|^\.git$|[\\\0]/i.test(name)), {
    error: "expected a directory within the repository, as apps/shop",
  })

/** Where the files of a project come from that no host has by itself. */
export const Repository = z.object({
  /** An address without a password. */
  url: z.string().min(1).max(2_000),
  /** The branch from which sessions begin. */
  ref: BranchName,
  /** What signs in to it; null where everybody may read and write. */
  credential: CredentialName.nullable(),
  /** The project's directory within the repository; null for all of it. */
  subdirectory: Subdirectory.nullable(),
})
export type Repository = z.infer<typeof Repository>

/** A repository within that of a session. */
export const SessionSubmodule = z.object({
  /** Its directory, from the top of the session's repository. */
  path: z.string(),
  /** Its address; empty when nothing names it. */
  url: z.string(),
  /** Why its files are not there; null when they are. */
  problem: z.string().nullable(),
})
export type SessionSubmodule = z.infer<typeof SessionSubmodule>

/** What a root session has of its project's repository. */
export const SessionRepository = z.object({
  /** The host that has its files; empty: the only process of the service. */
  host: z.string(),
  /** The commit with which it began. */
  base: z.string(),
  /** The branch of its work, and the commit of it that the server has; null before there is one. */
  branch: z.string(),
  pushed: z.string().nullable(),
  /** Why the server does not have the newest files or the newest branch, and what helps; null when it has them. */
  problem: z.string().nullable(),
  /** Left out without submodules. */
  submodules: z.array(SessionSubmodule).optional(),
})
export type SessionRepository = z.infer<typeof SessionRepository>
