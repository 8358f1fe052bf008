"use client"

import entries from "../../../../../ui/entries.module.css"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { useMethods } from "./use-methods.ts"

/** Accounts elsewhere that let the reader in; nothing where the team uses none. */
export function OtherAccounts() {
  const { data } = useMethods()
  if (data === undefined || data.providers.length === 0) return null
  return (
    <Section id="other-accounts" title="Accounts elsewhere">
      <ul>
        {data.providers.map(({ id, name, linked }) => (
          <li key={id} className={`${entries.item} ${settings.line}`}>
            <span className={settings.text}>
              <span className={settings.name}>{name}</span>
              <span className={settings.meta}>
                {linked
                  ? "lets you in"
                  : "lets you in once you sign in with it, if it has verified the same e-mail address"}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
