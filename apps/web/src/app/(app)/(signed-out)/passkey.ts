import { ask, type Sent, send } from "./send.ts"

/** Whether this browser supports passkeys at this address: only over TLS and on localhost. */
export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in globalThis && "parseCreationOptionsFromJSON" in PublicKeyCredential
}

/** Creates a passkey with the given name on this device, for the signed-in user. */
export async function createPasskey(name: string): Promise<Sent<unknown>> {
  const asked = await ask<PublicKeyCredentialCreationOptionsJSON>("passkey/generate-register-options")
  if (!asked.ok) return asked
  const made = await withDevice(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked.data) }),
  )
  return made.ok ? await send("passkey/verify-registration", { response: made.data, name }) : made
}

/** Signs in with a passkey that the user chooses. */
export async function signInByPasskey(): Promise<Sent<unknown>> {
  const asked = await ask<PublicKeyCredentialRequestOptionsJSON>("passkey/generate-authenticate-options")
  if (!asked.ok) return asked
  // The passkey replaces both the password and a code, so the device must verify the user.
  const options: PublicKeyCredentialRequestOptionsJSON = { ...asked.data, userVerification: "required" }
  const shown = await withDevice(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
  return shown.ok ? await send("passkey/verify-authentication", { response: shown.data }) : shown
}

async function withDevice(ask: () => Promise<Credential | null>): Promise<Sent<unknown>> {
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return { ok: true, data: credential.toJSON() }
    return { ok: false, message: stopped }
  } catch (error) {
    return { ok: false, message: deviceMessage(error instanceof DOMException ? error.name : "") }
  }
}

const stopped = "Nothing was chosen. Try again when you like."

/** Messages for the errors of browsers (Web Authentication, Level 3, 5.1). */
function deviceMessage(name: string): string {
  switch (name) {
    case "InvalidStateError":
      return "This device has a passkey for you already."
    case "NotAllowedError":
    case "AbortError":
      return stopped
    case "SecurityError":
      return "Passkeys need an address with a name. Open Docket by its name, and not by numbers."
    default:
      return "This device cannot do that. Try another one."
  }
}
