import type { Drawers } from "../ground/secret/file-vault.ts"
import { credentialFiles, signInFiles } from "../ground/secret/sign-in-files.ts"
import { webhookSecretFiles } from "../records/webhook/webhook-secret-files.ts"
import { keyFile } from "../setup/provider/key-file.ts"

/** The files that hold the secrets of a workspace. */
export function workspaceDrawers(dataDirectory: string): Drawers {
  return {
    "provider-key": keyFile(dataDirectory),
    webhook: webhookSecretFiles(dataDirectory),
    "sign-in": signInFiles(dataDirectory),
    credential: credentialFiles(dataDirectory),
  }
}
