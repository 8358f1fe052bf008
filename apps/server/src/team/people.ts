import { DocketError } from "@docket/core"
import { z } from "zod"
import { type Context, leastPasswordLength } from "./create-accounts.ts"
import { endDeviceCodes } from "./device-codes.ts"

export interface Person {
  id: string
  name: string
  email: string
}

/** Email addresses are compared in lower case. */
export const Email = z.email({ error: "write an e-mail address" }).max(200).toLowerCase()
export const Password = z
  .string()
  .min(leastPasswordLength, { error: `choose a password of at least ${leastPasswordLength} characters` })
  .max(128, { error: "choose a password of at most 128 characters" })

const mostOperators = 1_000

export interface NewPerson {
  name: string
  /** In lower case. */
  email: string
  password: string
}

/** What was ended together with an old password. */
export interface Ended {
  passkeys: number
  /** Whether there was a second factor. */
  secondStep: boolean
}

/** Users with an account, and their passwords. */
export function createPeople({ internalAdapter, password, adapter }: Context) {
  const brief = ({ id, name, email }: Person): Person => ({ id, name, email })
  const byEmail = async (email: string) => {
    const found = await internalAdapter.findUserByEmail(email)
    return found && brief(found.user)
  }
  const ofUser = (id: string) => [{ field: "userId", value: id }]
  const endSignIns = async (id: string) => {
    await endDeviceCodes(adapter, id)
    await internalAdapter.deleteUserSessions(id)
  }
  const endSecondStep = async (id: string) => {
    await internalAdapter.updateUser(id, { twoFactorEnabled: false })
    return await adapter.deleteMany({ model: "twoFactor", where: ofUser(id) })
  }
  return {
    byEmail,
    async operators(): Promise<{ person: string; name: string; email: string }[]> {
      const where = [{ field: "isOperator", value: true }]
      const sortBy = { field: "createdAt", direction: "asc" } as const
      const rows = await adapter.findMany<Person>({ model: "user", where, sortBy, limit: mostOperators })
      return rows.map(({ id, name, email }) => ({ person: id, name, email }))
    },
    async setOperator(id: string, isOperator: boolean): Promise<void> {
      await adapter.update({ model: "user", where: [{ field: "id", value: id }], update: { isOperator } })
    },
    async byIDs(ids: readonly string[]): Promise<Map<string, Person>> {
      if (ids.length === 0) return new Map()
      const where = [{ field: "id", operator: "in" as const, value: [...ids] }]
      const rows = await adapter.findMany<Person>({ model: "user", where, limit: ids.length })
      return new Map(rows.map((row) => [row.id, brief(row)]))
    },
    /**
     * @param isProven whether the address is known to belong to whoever chose the password
     * @throws already_member when an account has this address
     */
    async create({ name, email, password: chosen }: NewPerson, isProven: boolean): Promise<Person> {
      // Hashed in any case, so that the duration does not reveal whether the address is taken.
      const hash = await password.hash(chosen)
      if (await byEmail(email)) throw new DocketError("already_member", "Somebody has an account with this address.")
      const person = await internalAdapter.createUser(
        { name, email, emailVerified: isProven },
        { method: "email-password" },
      )
      const account = { userId: person.id, providerId: "credential", accountId: person.id, password: hash }
      await internalAdapter.linkAccount(account)
      return brief(person)
    },
    async hasPassword(id: string, given: string): Promise<boolean> {
      const hash = (await internalAdapter.findCredentialAccount(id))?.password
      if (hash) return password.verify({ hash, password: given })
      // Hashed all the same, so that the duration does not reveal whether there is a password.
      await password.hash(given)
      return false
    },
    endSignIns,
    endDeviceCodes: (id: string) => endDeviceCodes(adapter, id),
    /**
     * Sets a password. Also ends all sign-ins of the user, and their passkeys, which someone who knew the old password
     * may have created. The second factor ends only with `withSecondStep`, because a link alone must not bypass it.
     */
    async reset(id: string, chosen: string, { withSecondStep }: { withSecondStep: boolean }): Promise<Ended> {
      const hash = await password.hash(chosen)
      const known = await internalAdapter.findCredentialAccount(id)
      if (known) await internalAdapter.updatePassword(id, hash)
      else await internalAdapter.linkAccount({ userId: id, providerId: "credential", accountId: id, password: hash })
      const passkeys = await adapter.deleteMany({ model: "passkey", where: ofUser(id) })
      const secondSteps = withSecondStep ? await endSecondStep(id) : 0
      await endSignIns(id)
      return { passkeys, secondStep: secondSteps > 0 }
    },
    /**
     * For a user who is about to prove the address of their account, ends every sign-in method, sign-in and key so far:
     * whoever made the invitation had its link and may have created them. @returns whether there were any
     */
    async endUnproven(id: string): Promise<boolean> {
      const user = await internalAdapter.findUserById(id)
      if (user === null || user.emailVerified) return false
      for (const { id: account } of await internalAdapter.findAccounts(id)) await internalAdapter.deleteAccount(account)
      await adapter.deleteMany({ model: "passkey", where: ofUser(id) })
      await adapter.deleteMany({ model: "apikey", where: [{ field: "referenceId", value: id }] })
      await endSecondStep(id)
      await endSignIns(id)
      return true
    },
  }
}

export type People = ReturnType<typeof createPeople>
