"use client"

import type { SignIn } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { showProblem } from "../../../../../shell/show-problem.ts"
import { formatDay } from "../../../../../ui/format.ts"
import { formatCount } from "../../../../../ui/format-count.ts"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { TeamPage } from "../team-page.tsx"
import { deviceLabel } from "./device-label.ts"
import styles from "./sign-ins.module.css"

/** The user's active sign-ins, and how to end them. */
export function SignInsPage() {
  const trpc = useTRPC()
  const signIns = useQuery(trpc.team.signIns.queryOptions())
  const others = signIns.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  return (
    <TeamPage
      title="My sign-ins"
      intro="Browsers and command lines that work as you. End what you do not know, and choose another password."
      actions={others > 0 ? <EndOthers count={others} /> : undefined}
    >
      <Section id="sign-ins" title="Signed in now">
        <Loaded query={signIns} failed="Your sign-ins cannot be listed" loading="Loading sign-ins" rows={2} height={56}>
          {(list) => (
            <ul aria-label="Sign-ins">
              {list.map((signIn) => (
                <SignInRow key={signIn.id} signIn={signIn} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
    </TeamPage>
  )
}

function SignInRow({ signIn: { id, device, address, created, expires, isCurrent } }: { signIn: SignIn }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const end = useMutation(
    trpc.team.endSignIn.mutationOptions({
      onError: showProblem,
      // Also after an error, because the sign-in may have expired.
      onSettled: () => queries.invalidateQueries(trpc.team.signIns.pathFilter()),
    }),
  )
  const deviceName = deviceLabel(device)
  const endIt = async () => {
    await end.mutateAsync({ signIn: id })
    announce(`${deviceName} is signed out`)
    document.getElementById("sign-ins")?.focus()
  }
  return (
    <li className={settings.provider}>
      <div className={settings.line}>
        <span className={settings.text}>
          <span className={settings.name} title={device}>
            {deviceName}
            {isCurrent ? <span className={styles.current}>this one</span> : null}
          </span>
          <span className={settings.meta}>
            {address === null ? "" : `From ${address} · `}signed in <RelativeTime time={created} /> · until{" "}
            {formatDay(expires)}
          </span>
        </span>
        {isCurrent ? null : (
          <Button
            color="red"
            variant="subtle"
            aria-label={`Sign out ${deviceName}`}
            loading={end.isPending}
            onClick={() => endIt().catch(() => {})}
          >
            Sign out
          </Button>
        )}
      </div>
    </li>
  )
}

function EndOthers({ count }: { count: number }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [asking, setAsking] = useState(false)
  const end = useMutation(
    trpc.team.endOtherSignIns.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.team.signIns.pathFilter()),
    }),
  )
  return (
    <>
      <Button color="red" variant="subtle" onClick={() => setAsking(true)}>
        Sign out all others…
      </Button>
      {asking ? (
        <LazyConfirmDialog
          title="Sign out all others"
          action="Sign out"
          confirm={async () => {
            const { ended } = await end.mutateAsync()
            announce(`${formatCount(ended, "sign-in")} ended`)
          }}
          onClose={() => setAsking(false)}
          next="#sign-ins"
        >
          {count === 1 ? "The other one has" : `The other ${count} have`} to sign in again; pages that are open there
          close within seconds. This browser stays signed in.
        </LazyConfirmDialog>
      ) : null}
    </>
  )
}
