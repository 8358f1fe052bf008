import { z } from "zod"

/** `agent.<name>.acp` in docket.json: the program of other people that does the agent's work. */
export const AcpConfig = z.strictObject({
  command: z.string().min(1).describe("The program that speaks the Agent Client Protocol on stdin and stdout."),
  args: z.array(z.string()).optional().describe("Its arguments."),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Variables in addition to the usual ones, such as its key as "{env:NAME}". It gets no other key.'),
  model: z.string().min(1).optional().describe("One of the models that it offers; its own choice unless set."),
  mode: z
    .string()
    .min(1)
    .optional()
    .describe("One of the modes that it offers; its mode default where it has one, in which it asks."),
  network: z
    .enum(["open", "project", "none"])
    .optional()
    .describe(
      "What it reaches from the sandbox: everything, this machine too (unless set), the hosts that commands may reach, or nothing.",
    ),
  writable: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "Places beside the project that your own agent changes, absolute or in your home (~/…); none unless set.",
    ),
  sandbox: z
    .literal(false)
    .optional()
    .describe("False: your own agent runs with your rights and outside the sandbox, with your home and its sign-in."),
})
export type AcpConfig = z.infer<typeof AcpConfig>
