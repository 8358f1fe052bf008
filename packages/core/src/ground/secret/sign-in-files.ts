import type { Drawer } from "./drawer.ts"
import { createSecretFile } from "./secret-file.ts"

/** Names of sign-ins begin with what somebody signs in to. Other secrets of the directory are no sign-ins. */
const signIn = /^(?:mcp|plugin) /

/** Sign-ins to servers and providers, each in an encrypted file. */
export function signInFiles(dataDirectory: string): Drawer {
  const file = createSecretFile({ dataDirectory })
  const names = async () => (await file.names()).filter((name) => signIn.test(name))
  return {
    place: "secrets",
    get: file.get,
    async all() {
      const found = await Promise.all((await names()).map(async (name) => [name, await file.get(name)] as const))
      return new Map(found.filter(([, value]) => value !== null))
    },
    set: (name, value) => (value === null ? file.remove(name) : file.set(name, value)),
    async clear() {
      for (const name of await names()) await file.remove(name)
    },
  }
}
