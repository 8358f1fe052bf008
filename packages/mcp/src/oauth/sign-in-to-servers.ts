import type { ExtensionPlace, ExtensionSignIn } from "@docket/core/extension-host"
import { personFor, remoteOf } from "../configured-servers.ts"
import type { ServerPool } from "../server-pool.ts"
import { serversIn } from "../servers-in.ts"
import type { SignInServer, SignIns } from "./sign-ins.ts"

/** Lets people sign in to servers, which then connect with the new rights. `signIns` loads what it needs. */
export function createSignInToServers(pool: ServerPool, signIns: () => Promise<SignIns>): ExtensionSignIn {
  return {
    async begin({ place, forAll, ...of }, method) {
      const who = whoSigns(place, of)
      refuseForAll(who, { forAll, name: of.name })
      const entry = pool.of(place, who.server, who.person)
      const onDone = (error: Error | null) => {
        if (error === null) void pool.connectAgain(entry, place)
        else {
          entry.failure = `The sign-in failed: ${error.message}`
          entry.log.add(`[Docket] ${entry.failure}`)
        }
      }
      return (await signIns()).begin(who, { by: of.person, method, onDone })
    },
    async finish({ place, ...of }, redirected) {
      const who = whoSigns(place, of)
      await (await signIns()).finish(who, { by: of.person, redirected })
      await pool.connectAgain(pool.of(place, who.server, who.person), place)
    },
    async signOut({ place, forAll, ...of }) {
      const who = whoSigns(place, of)
      refuseForAll(who, { forAll, name: of.name })
      await (await signIns()).forget(place, who.server, who.person)
      await pool.stop(pool.of(place, who.server, who.person))
    },
  }
}

interface Signing {
  place: ExtensionPlace
  server: SignInServer
  person: string | null
}

/** @throws Error where nobody signs in to the server */
function whoSigns(place: ExtensionPlace, { name, person }: { name: string; person: string }): Signing {
  const server = serversIn(place).find((one) => one.name === name)
  const remote = server && remoteOf(server)
  if (!remote)
    throw new Error(`The MCP server "${name}" runs on this machine or does not count: nobody signs in to it.`)
  if (remote.config.oauth === false) throw new Error(`The configuration of "${name}" turns signing in off (oauth).`)
  return { place, server: remote, person: personFor(place, remote, person) }
}

/** Else a member of a team could let all others work in an account of theirs. */
function refuseForAll({ place, person }: Signing, { forAll, name }: { forAll: boolean; name: string }): void {
  if (place.isShared && person === null && !forAll)
    throw new Error(`All work with one sign-in to "${name}": who manages the settings gives it.`)
}
