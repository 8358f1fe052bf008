import { hashShareSecret, type Runtime, type UseCases } from "@docket/core"

/** Reads the links of a workspace for whoever has one: they cause nothing. */
export interface LinkReader {
  runtime: UseCases
  workspace: string
}

/** Finds whose link a secret is. */
export interface LinkReaders {
  /** What reads the link. A secret that is nobody's is read in the first workspace, which has none of it either. */
  of(secret: string): LinkReader | Promise<LinkReader>
}

export interface LinkReadersDeps {
  first: { id: string; runtime: Pick<Runtime, "as"> }
  /** Of the other workspaces; left out, there are none. */
  others?: {
    /** Whose link has the hash; null: nobody's. */
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
