"use client"

import { useTRPC } from "@docket/client/react"
import { endedMessage, limitRows, meansMessage } from "@docket/core/limit-messages"
import type { SandboxLimits as Limits } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { Loaded } from "../../../../ui/loaded.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import styles from "./settings.module.css"

/** The resource limits of commands, and the commands that were ended for exceeding them. */
export function SandboxLimits() {
  const trpc = useTRPC()
  const limits = useQuery(trpc.sandbox.limits.queryOptions())
  return (
    <Loaded query={limits} failed="The limits of commands cannot be read" loading="Reading the limits of commands">
      {(known) => <Rows limits={known} />}
    </Loaded>
  )
}

function Rows({ limits }: { limits: Limits }) {
  return (
    <>
      <ul>
        {limitRows(limits).map(({ name, value }) => (
          <li key={name} className={styles.provider}>
            <div className={styles.line}>
              <span className={styles.text}>
                <span className={styles.name}>{name}</span>
                <span className={styles.meta}>{value}</span>
              </span>
            </div>
          </li>
        ))}
        {limits.ended.map((ended) => (
          <li key={`${ended.at} ${ended.limit}`} className={styles.provider}>
            <div className={styles.line}>
              <span className={styles.text}>
                <span className={styles.name}>A command was ended</span>
                <span className={styles.meta}>{endedMessage(ended)}</span>
              </span>
              <RelativeTime time={ended.at} />
            </div>
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        {meansMessage(limits.means)} A command that goes over one is ended with all that it started. They hold outside
        the sandbox, too. <code>sandbox.limits</code> in your own <code>docket.json</code> changes them; a project can
        only lower them.
      </p>
    </>
  )
}
