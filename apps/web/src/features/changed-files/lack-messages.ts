import type { ChangeLack, TreeChanges } from "@docket/core"

export const lackMessages: Record<ChangeLack, string> = {
  binary: "This file is not text, so there is no diff.",
  too_large: "This file is too large for a diff.",
  expired: "What was kept of this change is gone: snapshots last seven days.",
}

/** The same in one or two words, shown instead of line counts. */
export const lackFact: Record<ChangeLack, string> = { binary: "binary", too_large: "too large", expired: "expired" }

export const unseenMessages: Record<NonNullable<TreeChanges["unseen"]>, string> = {
  no_git:
    "The project is not a git repository, so files that commands changed are not known. Run git init to see them.",
  no_snapshot: "Docket has no snapshot of some commands: files that they changed are not listed.",
}
