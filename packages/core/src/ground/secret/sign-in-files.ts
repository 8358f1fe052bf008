import type { Drawer } from "./drawer.ts"
import { createSecretFile } from "./secret-file.ts"

/** Names of sign-ins begin with what somebody signs in to. Other secrets of the directory are no sign-ins. */
const signIn = /^(?:mcp|plugin) /

/** What is put before the names of credentials, which share the directory. */
const credential = "credential "

/** Sign-ins to servers and providers, each in an encrypted file. */
export function signInFiles(dataDirectory: string): Drawer {
  return drawerOf(dataDirectory, { isOwn: (name) => signIn.test(name), prefix: "" })
}

/** What signs in to repositories, each in an encrypted file. */
export function credentialFiles(dataDirectory: string): Drawer {
  return drawerOf(dataDirectory, { isOwn: (name) => name.startsWith(credential), prefix: credential })
}

/** The secrets of the directory whose files have such names: `prefix` and what callers name them. */
function drawerOf(dataDirectory: string, { isOwn, prefix }: { isOwn(name: string): boolean; prefix: string }): Drawer {
  const file = createSecretFile({ dataDirectory })
  const names = async () => (await file.names()).filter(isOwn)
  return {
    place: "secrets",
    get: (name) => file.get(prefix + name),
    async all() {
      const found = await Promise.all((await names()).map(async (name) => [name, await file.get(name)] as const))
      return new Map(found.flatMap(([name, value]) => (value === null ? [] : [[name.slice(prefix.length), value]])))
    },
    set: (name, value) => (value === null ? file.remove(prefix + name) : file.set(prefix + name, value)),
    async clear() {
      for (const name of await names()) await file.remove(name)
    },
  }
}
