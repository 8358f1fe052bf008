import { type InitializeResponse, PROTOCOL_VERSION } from "@agentclientprotocol/sdk/unstable"
import packageJson from "../../package.json" with { type: "json" }

export const loginMethod = "docket-login"

/** What Docket offers to an editor. */
export const initializeResponse: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: "docket", title: "Docket", version: packageJson.version },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: { list: {}, resume: {}, close: {}, fork: {} },
  },
  authMethods: [
    {
      id: loginMethod,
      name: "Sign in on the command line",
      description:
        "For a team's server: run docket login --server URL in a terminal, then go on here. On your own machine nothing is needed.",
    },
  ],
}
