import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { SignIn } from "../../ground/git/remote-git.ts"
import type { Credential } from "../../ground/schema/index.ts"
import type { Vault } from "../../ground/secret/vault.ts"

/** What signs in to a server of repositories: it is sent to no other server. */
const SavedCredential = z.object({
  origin: z.string(),
  username: z.string(),
  token: z.string().min(1),
})

/** The sign-ins of a workspace to servers of repositories. */
export interface Credentials {
  list(): Promise<Credential[]>
  /** Replaces that of the same name. */
  save(credential: Credential & { token: string }): Promise<Credential>
  /** @throws credential_not_found */
  remove(name: string): Promise<void>
  /** @throws credential_not_found, credential_refused for another server */
  signIn(name: string, url: string): Promise<SignIn>
}

export function createCredentials(vault: Vault): Credentials {
  return {
    async list() {
      const found: Credential[] = []
      for (const [name, value] of await vault.all("credential")) {
        const saved = SavedCredential.safeParse(value).data
        if (saved !== undefined) found.push({ name, origin: saved.origin, username: saved.username })
      }
      return found.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    async save({ name, origin, username, token }) {
      await vault.change("credential", name, () => ({ origin, username, token }))
      return { name, origin, username }
    },
    async remove(name) {
      if ((await vault.change("credential", name, () => null)) === null) throw missing(name)
    },
    async signIn(name, url) {
      const saved = SavedCredential.safeParse(await vault.get("credential", name)).data
      if (saved === undefined) throw missing(name)
      const { origin } = new URL(url)
      if (saved.origin === origin) return { username: saved.username, password: saved.token }
      throw new DocketError(
        "credential_refused",
        `The credential "${name}" is for ${saved.origin} and is not sent to ${origin}. Save another one for it.`,
      )
    },
  }
}

function missing(name: string): DocketError {
  return new DocketError(
    "credential_not_found",
    `There is no credential "${name}". Save it: docket credential save ${name}`,
  )
}
