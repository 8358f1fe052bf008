import { hashShareSecret, type Runtime, type UseCases } from "@docket/core"

/** Reads the links of one workspace for anybody who has one, and changes nothing. */
export interface LinkReader {
  runtime: UseCases
  workspace: string
}

/** Finds the workspace of a link by its secret. */
export interface LinkReaders {
  /** The reader of the link. An unknown secret is looked up in the first workspace, which does not have it either. */
  of(secret: string): LinkReader | Promise<LinkReader>
}

export interface LinkReadersDeps {
  first: { id: string; runtime: Pick<Runtime, "as"> }
  /** The other workspaces. Without this, there are none. */
  others?: {
    /** The workspace whose link has the hash; null for none. */
    workspaceOf(secretHash: string): Promise<string | null>
    runtime(workspaceID: string): Pick<Runtime, "as"> | null | Promise<Pick<Runtime, "as"> | null>
  }
}

export function createLinkReaders({ first, others }: LinkReadersDeps): LinkReaders {
  const readerOf = ({ id, runtime }: LinkReadersDeps["first"]): LinkReader => ({
    runtime: runtime.as({ person: "a link's reader", workspace: id }),
    workspace: id,
  })
  const ofFirst = readerOf(first)
  return {
    async of(secret) {
      const id = (await others?.workspaceOf(hashShareSecret(secret))) ?? first.id
      const runtime = id === first.id ? null : await others?.runtime(id)
      return runtime ? readerOf({ id, runtime }) : ofFirst
    },
  }
}
