import { DocketError } from "@docket/core"
import { z } from "zod"
import { type Context, leastPassword } from "./create-accounts.ts"
import { endDeviceCodes } from "./device-codes.ts"

export interface Person {
  id: string
  name: string
  email: string
}

/** One address is one person, however it is written. */
export const Email = z.email({ error: "write an e-mail address" }).max(200).toLowerCase()
export const Password = z
  .string()
  .min(leastPassword, { error: `choose a password of at least ${leastPassword} characters` })
  .max(128, { error: "choose a password of at most 128 characters" })

const mostOperators = 1_000

export interface NewPerson {
  name: string
  /** In small letters. */
  email: string
  password: string
}

/** What went with an old password. */
export interface Ended {
  passkeys: number
  /** Whether codes of an app were asked for. */
  secondStep: boolean
}

/** Those who have an account, and their passwords. */
export function createPeople({ internalAdapter, password, adapter }: Context) {
  const brief = ({ id, name, email }: Person): Person => ({ id, name, email })
  const byEmail = async (email: string) => {
    const found = await internalAdapter.findUserByEmail(email)
    return found && brief(found.user)
  }
  const mine = (id: string) => [{ field: "userId", value: id }]
  const endSignIns = async (id: string) => {
    await endDeviceCodes(adapter, id)
    await internalAdapter.deleteUserSessions(id)
  }
  const endSecondStep = async (id: string) => {
    await internalAdapter.updateUser(id, { twoFactorEnabled: false })
    return await adapter.deleteMany({ model: "twoFactor", where: mine(id) })
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
     * @param isProven whether whoever chose the password is known to have the address
     * @throws already_member when somebody has the address
     */
    async create({ name, email, password: chosen }: NewPerson, isProven: boolean): Promise<Person> {
      // Hashed whether or not the address is taken, so that the time tells nothing.
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
      await password.hash(given)
      return false
    },
    endSignIns,
    endDeviceCodes: (id: string) => endDeviceCodes(adapter, id),
    /**
     * Ends all sign-ins of the person too, and their passkeys: who knew the old password may have made them. The second
     * step, which nobody passes who only has a link, ends where `withSecondStep` says so.
     */
    async reset(id: string, chosen: string, { withSecondStep }: { withSecondStep: boolean }): Promise<Ended> {
      const hash = await password.hash(chosen)
      const known = await internalAdapter.findCredentialAccount(id)
      if (known) await internalAdapter.updatePassword(id, hash)
      else await internalAdapter.linkAccount({ userId: id, providerId: "credential", accountId: id, password: hash })
      const passkeys = await adapter.deleteMany({ model: "passkey", where: mine(id) })
      const secondSteps = withSecondStep ? await endSecondStep(id) : 0
      await endSignIns(id)
      return { passkeys, secondStep: secondSteps > 0 }
    },
    /**
     * Ends every way in, every sign-in and every key of an account whose address nobody has proven yet, for who is about to prove it:
     * whoever made the invitation had its link, and may have chosen them. @returns whether there were any to end
     */
    async endUnproven(id: string): Promise<boolean> {
      const user = await internalAdapter.findUserById(id)
      if (user === null || user.emailVerified) return false
      for (const { id: account } of await internalAdapter.findAccounts(id)) await internalAdapter.deleteAccount(account)
      await adapter.deleteMany({ model: "passkey", where: mine(id) })
      await adapter.deleteMany({ model: "apikey", where: [{ field: "referenceId", value: id }] })
      await endSecondStep(id)
      await endSignIns(id)
      return true
    },
  }
}

export type People = ReturnType<typeof createPeople>
