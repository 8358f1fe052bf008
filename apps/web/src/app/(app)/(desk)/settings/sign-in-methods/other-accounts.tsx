"use client"

import { Button } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import entries from "../../../../../ui/entries.module.css"
import { send } from "../../../(signed-out)/send.ts"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { type LinkedProvider, methodsKey, useMethods } from "./use-methods.ts"

const section = "other-accounts"

/** The user's linked accounts of other sign-in providers; renders nothing if the team uses none. */
export function OtherAccounts() {
  const { data } = useMethods()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [toUnlink, setToUnlink] = useState<LinkedProvider | null>(null)
  if (data === undefined || data.providers.length === 0) return null
  const unlink = async ({ id, name }: LinkedProvider) => {
    const sent = await send("provider/unlink", { provider: id })
    // Refreshed even after a refusal: it means that the last known methods were out of date.
    await queries.invalidateQueries({ queryKey: methodsKey })
    if (!sent.ok) throw new Error(sent.message)
    announce(`${name} is unlinked`)
  }
  return (
    <Section id={section} title="Accounts elsewhere">
      <ul>
        {data.providers.map((provider) => (
          <li key={provider.id} className={`${entries.item} ${settings.line}`}>
            <span className={settings.text}>
              <span className={settings.name}>{provider.name}</span>
              <span className={settings.meta}>{linkLabel(provider)}</span>
            </span>
            {provider.canGo ? (
              <Button aria-label={`Unlink ${provider.name}`} onClick={() => setToUnlink(provider)}>
                Unlink
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {toUnlink === null ? null : (
        <LazyConfirmDialog
          title={`Unlink ${toUnlink.name}?`}
          action="Unlink it"
          confirm={() => unlink(toUnlink)}
          onClose={() => setToUnlink(null)}
          next={`#${section}`}
        >
          That account of {toUnlink.name} does not sign you in any more. One with your e-mail address, verified there,
          is linked again when somebody signs in with it.
        </LazyConfirmDialog>
      )}
    </Section>
  )
}

function linkLabel({ linked, canGo }: LinkedProvider): string {
  if (!linked) return "lets you in once you sign in with it, if it has verified the same e-mail address"
  return canGo ? "lets you in" : "lets you in, and is your only way in: set up another one before you unlink it"
}
