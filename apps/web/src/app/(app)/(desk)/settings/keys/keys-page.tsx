"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { useMe } from "../../../../../shell/me.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { ShownOnce } from "../shown-once.tsx"
import { TeamPage } from "../team-page.tsx"
import { KeyForm } from "./key-form.tsx"
import { KeyRow } from "./key-row.tsx"
import { TokenRow } from "./token-row.tsx"

/** The keys with which programs call this workspace. */
export function KeysPage() {
  const me = useMe()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const refusal = me.whyNot("keys.manage")
  return (
    <TeamPage
      title="API keys"
      intro={
        <>
          With a key, a program calls this workspace in the name of whoever made it:{" "}
          <code>Authorization: Bearer dkt_…</code>. It may do no more than its role, and never more than that person.
        </>
      }
      actions={
        refusal === undefined ? (
          <Button
            leftSection={<Plus size={14} aria-hidden />}
            disabled={making || me.role === null}
            onClick={() => {
              setMade(null)
              setMaking(true)
            }}
          >
            New key
          </Button>
        ) : undefined
      }
    >
      {made ? (
        <ShownOnce
          key={made.key}
          title={`The key “${made.name}”`}
          label="Key"
          value={made.key}
          what="the key"
          onDone={() => setMade(null)}
        >
          Copy it now, into the settings of the program. Docket keeps only a hash of it, so it is never shown again.
        </ShownOnce>
      ) : null}
      {making && me.role !== null ? (
        <KeyForm
          role={me.role}
          onMade={(key) => {
            setMaking(false)
            setMade(key)
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {refusal === undefined ? (
        <>
          <Keys />
          <Tokens />
        </>
      ) : (
        <p className={settings.hint}>{refusal}</p>
      )}
    </TeamPage>
  )
}

function Keys() {
  const trpc = useTRPC()
  const keys = useQuery(trpc.team.keys.queryOptions())
  return (
    <Section id="keys" title="Keys">
      <Loaded query={keys} failed="Keys cannot be listed" loading="Loading keys" rows={2} height={64}>
        {(list) =>
          list.length === 0 ? (
            <p className={settings.hint}>No program has a key to this workspace.</p>
          ) : (
            <ul aria-label="Keys">
              {list.map((key) => (
                <KeyRow key={key.id} programKey={key} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

/** Tokens made with the command line. They act for no user. */
function Tokens() {
  const trpc = useTRPC()
  const tokens = useQuery(trpc.team.tokens.queryOptions())
  return (
    <Section id="tokens" title="Tokens for /v1">
      <p className={settings.hint}>
        Tokens (<code>atr_…</code>) open <code>/v1</code> of this workspace in the name of nobody, with what a member
        may do. <code>docket token create --name …</code> makes one.
      </p>
      <Loaded query={tokens} failed="Tokens cannot be listed" loading="Loading tokens" rows={1} height={48}>
        {(list) =>
          list.length === 0 ? (
            <p className={settings.hint}>No program has a token.</p>
          ) : (
            <ul aria-label="Tokens">
              {list.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
