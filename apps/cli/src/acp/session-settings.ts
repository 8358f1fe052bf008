import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient } from "@docket/client"
import type { Session } from "@docket/core/schema"
import { type Choices, configOptions, modesOf, type SettingsChange } from "./config-options.ts"

/** The settings of a session, in both forms of the protocol: modes alone are for older editors. */
export function sessionSettings(
  choices: Choices,
  session: Session,
): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
  return { modes: modesOf(choices, session), configOptions: configOptions(choices, session) }
}

/** Changes a setting, for the prompts that follow. */
export async function changeSettings(
  docket: DocketClient,
  sessionID: string,
  change: SettingsChange,
): Promise<Session> {
  return "preset" in change
    ? await docket.session.setPreset.mutate({ sessionID, ...change })
    : await docket.session.update.mutate({ sessionID, ...change })
}
