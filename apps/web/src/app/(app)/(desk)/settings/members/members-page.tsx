"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { UserPlus } from "lucide-react"
import { useState } from "react"
import { useMe } from "../../../../../shell/me.tsx"
import { PageLink } from "../../../../../shell/page-link.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { TeamPage } from "../team-page.tsx"
import { FormerMembers } from "./former-members.tsx"
import { InvitationRow } from "./invitation-row.tsx"
import { InviteForm } from "./invite-form.tsx"
import { LeftNote, type OffboardingResult } from "./left-note.tsx"
import { MemberRow } from "./member-row.tsx"
import { type LinkFor, NewLink } from "./new-link.tsx"

/** The members of the workspace with their roles, and open invitations. */
export function MembersPage() {
  const me = useMe()
  const [inviting, setInviting] = useState(false)
  const [made, setMade] = useState<LinkFor | null>(null)
  const [offboarded, setOffboarded] = useState<OffboardingResult | null>(null)
  const mayManage = me.can("people.manage")
  return (
    <TeamPage
      title="Members"
      intro={
        <>
          Everybody who can open this workspace. What each role may do:{" "}
          <PageLink href="/settings/roles">Roles</PageLink>.
        </>
      }
      actions={
        mayManage ? (
          <Button
            leftSection={<UserPlus size={14} aria-hidden />}
            disabled={inviting}
            onClick={() => {
              setMade(null)
              setInviting(true)
            }}
          >
            Invite
          </Button>
        ) : undefined
      }
    >
      {made ? <NewLink key={made.link.url} made={made} onDone={() => setMade(null)} /> : null}
      {inviting && me.role !== null ? (
        <InviteForm
          role={me.role}
          onMade={(link) => {
            setInviting(false)
            setMade(link)
          }}
          onClose={() => setInviting(false)}
        />
      ) : null}
      {offboarded ? <LeftNote result={offboarded} onDone={() => setOffboarded(null)} /> : null}
      <Members onMade={setMade} onOffboarded={setOffboarded} />
      {mayManage ? <FormerMembers /> : null}
      {mayManage ? <Invitations /> : null}
    </TeamPage>
  )
}

interface MembersProps {
  onMade(made: LinkFor): void
  onOffboarded(result: OffboardingResult): void
}

function Members({ onMade, onOffboarded }: MembersProps) {
  const trpc = useTRPC()
  const members = useQuery(trpc.team.members.queryOptions())
  return (
    <Loaded query={members} failed="Members cannot be listed" loading="Loading members" rows={3} height={56}>
      {(list) => (
        <Section id="members" title={list.length === 1 ? "1 member" : `${list.length} members`}>
          <ul aria-label="Members">
            {list.map((member) => (
              <MemberRow key={member.person} member={member} onMade={onMade} onOffboarded={onOffboarded} />
            ))}
          </ul>
        </Section>
      )}
    </Loaded>
  )
}

function Invitations() {
  const trpc = useTRPC()
  const invitations = useQuery(trpc.team.invitations.queryOptions())
  return (
    <Section id="invitations" title="Waiting invitations">
      <Loaded query={invitations} failed="Invitations cannot be listed" loading="Loading invitations">
        {(list) =>
          list.length === 0 ? (
            <p className={settings.hint}>Nobody is invited at the moment.</p>
          ) : (
            <ul aria-label="Waiting invitations">
              {list.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
