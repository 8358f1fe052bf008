import { z } from "zod"
import { CredentialName } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { mutation, query } from "./operation.ts"

const capability = "projects.manage"

/** Scheme, host and port, as `https://git.example.org`. */
const Origin = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .transform((url) => new URL(url).origin)

/** What signs in to servers of repositories. */
export const credentialOperations = {
  /** The credentials of the workspace, without their tokens. */
  list: query({ capability, input: null, needs: "rows", run: ({ credential }) => credential.list() }),

  /** Stores a token for a server of repositories under a name. It replaces that of the same name. */
  save: mutation({
    capability,
    audit: records("credential.saved", { targets: ["name", "origin"] }),
    input: z.object({
      name: CredentialName,
      /** The server that gets it, and no other. */
      origin: Origin,
      /** What the server expects beside a token; most take any name. */
      username: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^\n\r\0]+$/)
        .default("docket"),
      token: z
        .string()
        .trim()
        .min(1)
        .max(10_000)
        .regex(/^[^\n\r\0]+$/, { error: "expected a token of one line" }),
    }),
    needs: "rows",
    run: ({ credential }, given) => credential.save(given),
  }),

  /** Removes a credential. Projects that name it keep its name. */
  remove: mutation({
    capability,
    audit: records("credential.removed", { targets: ["name"] }),
    input: z.object({ name: CredentialName }),
    needs: "rows",
    run: ({ credential }, { name }) => credential.remove(name).then(() => null),
  }),
}
