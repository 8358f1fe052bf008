--
-- PostgreSQL database dump
--

\restrict V51hPjJIh1NbaViRgI9D5iFdaRiRjLeXMvoBf0fLVRTeKae4SpWcmU8eSTaDBRz

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: ApiToken; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."ApiToken" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "tokenHash" text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: ConfigTrust; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."ConfigTrust" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    directory text NOT NULL COLLATE pg_catalog."C",
    trusted double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Counter; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Counter" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    value integer NOT NULL
);


--
-- Name: Memory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Memory" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    "projectID" text COLLATE pg_catalog."C",
    "sessionID" text COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    tags text NOT NULL COLLATE pg_catalog."C",
    invalidated boolean NOT NULL,
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Message; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Message" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    summary boolean NOT NULL,
    open boolean NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Part; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Part" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text NOT NULL COLLATE pg_catalog."C",
    "messageID" text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    "toolStatus" text COLLATE pg_catalog."C",
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: PermissionGrant; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."PermissionGrant" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "createdAt" double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: PermissionRequest; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."PermissionRequest" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Project; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Project" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    directory text NOT NULL COLLATE pg_catalog."C",
    opened double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Removal; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Removal" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text NOT NULL COLLATE pg_catalog."C",
    "messageID" text COLLATE pg_catalog."C",
    seq integer NOT NULL
);


--
-- Name: Schedule; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Schedule" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    "projectID" text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    "nextFireAt" double precision,
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: ScheduleRun; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."ScheduleRun" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "scheduleID" text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    "startedAt" double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Session" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "parentID" text COLLATE pg_catalog."C",
    "projectID" text NOT NULL COLLATE pg_catalog."C",
    depth integer NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    "originCallID" text COLLATE pg_catalog."C",
    cost double precision NOT NULL,
    tokens double precision NOT NULL,
    created double precision NOT NULL,
    updated double precision NOT NULL,
    archived boolean NOT NULL,
    seq integer NOT NULL,
    "createdSeq" integer NOT NULL,
    "todoSeq" integer DEFAULT 0 NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Share; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Share" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "secretHash" text NOT NULL COLLATE pg_catalog."C",
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Task; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Task" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "parentID" text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    number integer NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    worktree text COLLATE pg_catalog."C",
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Todo; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Todo" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    "sessionID" text COLLATE pg_catalog."C",
    "rootID" text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C",
    agent text COLLATE pg_catalog."C",
    rank integer DEFAULT 1 NOT NULL,
    updated double precision DEFAULT 0 NOT NULL
);


--
-- Name: TodoChange; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."TodoChange" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "todoID" text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text COLLATE pg_catalog."C",
    at double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Tree; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Tree" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    alive boolean NOT NULL
);


--
-- Name: Turn; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."Turn" (
    "tenantID" text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    "rootID" text NOT NULL COLLATE pg_catalog."C",
    "sessionID" text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    epoch integer NOT NULL,
    created double precision NOT NULL,
    data text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: _docket_claims; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public._docket_claims (
    number integer NOT NULL
);


--
-- Name: _prisma_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public._prisma_migrations (
    id character varying(36) NOT NULL,
    checksum character varying(64) NOT NULL,
    finished_at timestamp without time zone,
    migration_name character varying(255) NOT NULL,
    logs text,
    rolled_back_at timestamp without time zone,
    started_at timestamp without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    applied_steps_count integer DEFAULT 0 NOT NULL
);


--
-- Data for Name: ApiToken; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."ApiToken" VALUES ('local', 'tok_01a20312a287000L6QBwaCczIv', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 1790000000001, '{"id":"tok_01a20312a287000L6QBwaCczIv","tenantID":"local","name":"ci","tokenHash":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed","time":{"created":1790000000001,"used":1790000000008,"revoked":null}}');
INSERT INTO public."ApiToken" VALUES ('acme', 'tok_01a20312a2880000IHb35YYEs6', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', 1790000000002, '{"id":"tok_01a20312a2880000IHb35YYEs6","tenantID":"acme","name":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","tokenHash":"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3","time":{"created":1790000000002,"used":null,"revoked":1790000000003}}');


--
-- Data for Name: ConfigTrust; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."ConfigTrust" VALUES ('local', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '/home/ada/greeter', 1000, '{"directory":"/home/ada/greeter","hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","time":{"trusted":1000}}');
INSERT INTO public."ConfigTrust" VALUES ('local', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd', '/home/ada/nul , half a pair �, whole 😀, quote '' " \ %_', 1790000000005, '{"directory":"/home/ada/nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","hash":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","time":{"trusted":1790000000005}}');


--
-- Data for Name: Counter; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Counter" VALUES ('local', 'todo', 8);
INSERT INTO public."Counter" VALUES ('local', 'memory', 4);
INSERT INTO public."Counter" VALUES ('local', 'schedule', 2);
INSERT INTO public."Counter" VALUES ('acme', 'todo', 3);


--
-- Data for Name: Memory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Memory" VALUES ('local', 'mem_01a20312a2870009PotRZGlnXv', 1, NULL, NULL, 'project', ' api  %C3%BCber%20alles  100%25_ ', false, 1000, '{"id":"mem_01a20312a2870009PotRZGlnXv","number":1,"projectID":null,"sessionID":null,"type":"project","title":"entry 1","content":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","source":"","tags":["api","über alles","100%_"],"agent":null,"invalidatedAt":null,"time":{"created":1000,"updated":1000}}');
INSERT INTO public."Memory" VALUES ('local', 'mem_01a20312a287000ABHyQUOx8C8', 2, 'prj_01a20312a2850000nBzFkllO8U', NULL, 'user', ' api ', false, 1790000000001, '{"id":"mem_01a20312a287000ABHyQUOx8C8","number":2,"projectID":"prj_01a20312a2850000nBzFkllO8U","sessionID":null,"type":"user","title":"entry 2","content":"what is known","source":"","tags":["api"],"agent":"build","invalidatedAt":null,"time":{"created":1790000000001,"updated":1790000000002}}');
INSERT INTO public."Memory" VALUES ('local', 'mem_01a20312a287000ByICCjnLGjW', 3, 'prj_01a20312a2850000nBzFkllO8U', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'learning', ' a%20b ', false, 1790000000003, '{"id":"mem_01a20312a287000ByICCjnLGjW","number":3,"projectID":"prj_01a20312a2850000nBzFkllO8U","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","type":"learning","title":"entry 3","content":"what is known","source":"session","tags":["a b"],"agent":null,"invalidatedAt":null,"time":{"created":1790000000003,"updated":1790000000003}}');
INSERT INTO public."Memory" VALUES ('local', 'mem_01a20312a287000CanjtOBnH07', 4, NULL, NULL, 'project', ' apis ', true, 1000, '{"id":"mem_01a20312a287000CanjtOBnH07","number":4,"projectID":null,"sessionID":null,"type":"project","title":"entry 4","content":"what is known","source":"","tags":["apis"],"agent":null,"invalidatedAt":1790000000009,"time":{"created":1000,"updated":1000}}');


--
-- Data for Name: Message; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a2860000B4tdXITchE', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 5, 'user', false, false, '{"id":"msg_01a20312a2860000B4tdXITchE","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000100}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a2860001Vj2as4vEZj', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 6, 'assistant', false, false, '{"id":"msg_01a20312a2860001Vj2as4vEZj","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860000B4tdXITchE","finish":"stop","error":null,"cost":0.01,"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"time":{"created":1000,"completed":2000}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a2860002dM4H9c744r', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 7, 'user', false, false, '{"id":"msg_01a20312a2860002dM4H9c744r","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000101},"system":"Be brief."}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a2860003EWTLlD37g0', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 8, 'assistant', true, false, '{"id":"msg_01a20312a2860003EWTLlD37g0","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860001Vj2as4vEZj","finish":"stop","error":null,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1000,"completed":2000},"summary":true}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a28600044WOqD7V3UO', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 9, 'user', false, false, '{"id":"msg_01a20312a28600044WOqD7V3UO","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000102}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a2860006tXRyVPYFiC', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 10, 'assistant', false, false, '{"id":"msg_01a20312a2860006tXRyVPYFiC","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860002dM4H9c744r","finish":null,"error":{"name":"AbortedError","message":"Stopped.","statusCode":null,"retryable":false},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1000,"completed":2000}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a2860008PjA3vZE0Cx', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 11, 'user', false, false, '{"id":"msg_01a20312a2860008PjA3vZE0Cx","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000103}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a286000AAuuNRqhWWx', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 12, 'assistant', false, true, '{"id":"msg_01a20312a286000AAuuNRqhWWx","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860003EWTLlD37g0","finish":null,"error":null,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1790000000104,"completed":null}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a286000CxQ5osfugE9', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 14, 'user', false, false, '{"id":"msg_01a20312a286000CxQ5osfugE9","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1000}}');
INSERT INTO public."Message" VALUES ('local', 'msg_01a20312a286000DmD7Q8VPiF7', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 15, 'assistant', false, false, '{"id":"msg_01a20312a286000DmD7Q8VPiF7","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a286000EU9m9lzP0SJ","finish":"stop","error":null,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1000,"completed":2000}}');


--
-- Data for Name: Part; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000HRL1oWJpOHJ', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860000B4tdXITchE', 16, 'text', NULL, '{"id":"prt_01a20312a286000HRL1oWJpOHJ","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860000B4tdXITchE","type":"text","text":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000IpdU9Abcdvf', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860000B4tdXITchE', 17, 'file', NULL, '{"id":"prt_01a20312a286000IpdU9Abcdvf","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860000B4tdXITchE","type":"file","mime":"text/plain","url":"file:///home/ada/a.txt","filename":"a.txt"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000JM2ECje3HmO', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860000B4tdXITchE', 18, 'agent', NULL, '{"id":"prt_01a20312a286000JM2ECje3HmO","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860000B4tdXITchE","type":"agent","name":"explore"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000KwHgAYzk7kc', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860001Vj2as4vEZj', 19, 'step-start', NULL, '{"id":"prt_01a20312a286000KwHgAYzk7kc","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"step-start","snapshot":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000L5dioGR2gnG', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860001Vj2as4vEZj', 20, 'reasoning', NULL, '{"id":"prt_01a20312a286000L5dioGR2gnG","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"reasoning","text":"thinking","time":{"start":1790000000001,"end":1790000000002},"providerMetadata":{"anthropic":{"signature":"x"}}}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000MSEGbXjMSFa', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860001Vj2as4vEZj', 21, 'tool', 'completed', '{"id":"prt_01a20312a286000MSEGbXjMSFa","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"tool","callID":"call","tool":"bash","state":{"status":"completed","input":{"filePath":"a.txt"},"output":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","title":"a.txt","metadata":{"diff":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"time":{"start":1790000000001,"end":1790000000002}}}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000NcTGA6qxIhg', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860001Vj2as4vEZj', 22, 'tool', 'error', '{"id":"prt_01a20312a286000NcTGA6qxIhg","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"tool","callID":"call","tool":"bash","state":{"status":"error","input":"no json","error":"bad input","metadata":{},"time":{"start":1790000000001,"end":1790000000002}}}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000OGEkJ7fBc18', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860001Vj2as4vEZj', 23, 'step-finish', NULL, '{"id":"prt_01a20312a286000OGEkJ7fBc18","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"step-finish","reason":"tool-calls","tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"cost":0.01,"snapshot":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000P0JXbDIoq6U', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860001Vj2as4vEZj', 24, 'patch', NULL, '{"id":"prt_01a20312a286000P0JXbDIoq6U","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"patch","hash":"4b825dc642cb6eb9a060e54bf8d69288fbee4904","files":["a.txt"]}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000Qh3qlRAr5dS', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860002dM4H9c744r', 25, 'compaction', NULL, '{"id":"prt_01a20312a286000Qh3qlRAr5dS","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860002dM4H9c744r","type":"compaction","auto":true}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000R2bOYrkAsmI', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860003EWTLlD37g0', 26, 'text', NULL, '{"id":"prt_01a20312a286000R2bOYrkAsmI","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860003EWTLlD37g0","type":"text","text":"summary"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000Sm0SWWxsQar', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a28600044WOqD7V3UO', 27, 'subtask', NULL, '{"id":"prt_01a20312a286000Sm0SWWxsQar","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a28600044WOqD7V3UO","type":"subtask","prompt":"look","description":"look","agent":"explore"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000TevMTl2afdP', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860006tXRyVPYFiC', 28, 'retry', NULL, '{"id":"prt_01a20312a286000TevMTl2afdP","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860006tXRyVPYFiC","type":"retry","attempt":1,"error":{"name":"APIError","message":"overloaded","statusCode":529,"retryable":true},"time":{"created":1790000000003}}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000UV99Qx8LA6k', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a286000AAuuNRqhWWx', 29, 'tool', 'running', '{"id":"prt_01a20312a286000UV99Qx8LA6k","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a286000AAuuNRqhWWx","type":"tool","callID":"call","tool":"bash","state":{"status":"running","input":{"command":"ls"},"title":"ls","metadata":{"output":"a.txt"},"time":{"start":1790000000009}}}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000VLOMtnaG9rY', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a286000AAuuNRqhWWx', 30, 'tool', 'pending', '{"id":"prt_01a20312a286000VLOMtnaG9rY","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a286000AAuuNRqhWWx","type":"tool","callID":"call","tool":"bash","state":{"status":"pending","input":{},"raw":"{\"comm"}}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000WWp0JiRP0FU', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'msg_01a20312a286000CxQ5osfugE9', 31, 'text', NULL, '{"id":"prt_01a20312a286000WWp0JiRP0FU","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":"msg_01a20312a286000CxQ5osfugE9","type":"text","text":"look around"}');
INSERT INTO public."Part" VALUES ('local', 'prt_01a20312a286000X6C1g3wgZx7', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'msg_01a20312a286000DmD7Q8VPiF7', 32, 'text', NULL, '{"id":"prt_01a20312a286000X6C1g3wgZx7","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":"msg_01a20312a286000DmD7Q8VPiF7","type":"text","text":"done"}');


--
-- Data for Name: PermissionGrant; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."PermissionGrant" VALUES ('local', 'per_01a20312a287000Jc8bOjsyh8L', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 1790000000001, '{"id":"per_01a20312a287000Jc8bOjsyh8L","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","permission":"bash","pattern":"npm *","createdAt":1790000000001}');
INSERT INTO public."PermissionGrant" VALUES ('local', 'per_01a20312a287000KueSVcJmDL3', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 1790000000002, '{"id":"per_01a20312a287000KueSVcJmDL3","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","permission":"edit","pattern":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","createdAt":1790000000002}');


--
-- Data for Name: PermissionRequest; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."PermissionRequest" VALUES ('local', 'per_01a20312a286000n00o5vF4YfI', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 46, 'pending', 1790000000000, '{"id":"per_01a20312a286000n00o5vF4YfI","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"pending","message":null,"time":{"created":1790000000000,"replied":null}}');
INSERT INTO public."PermissionRequest" VALUES ('local', 'per_01a20312a286000oHgteCEoCBO', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 47, 'once', 1790000000001, '{"id":"per_01a20312a286000oHgteCEoCBO","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"once","message":null,"time":{"created":1790000000001,"replied":1790000000050}}');
INSERT INTO public."PermissionRequest" VALUES ('local', 'per_01a20312a286000pp6vtq0ZLgf', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 48, 'always', 1790000000002, '{"id":"per_01a20312a286000pp6vtq0ZLgf","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"always","message":null,"time":{"created":1790000000002,"replied":1790000000050}}');
INSERT INTO public."PermissionRequest" VALUES ('local', 'per_01a20312a286000qU0kAbLaTeF', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 49, 'rejected', 1790000000003, '{"id":"per_01a20312a286000qU0kAbLaTeF","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"rejected","message":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","time":{"created":1790000000003,"replied":1790000000050}}');
INSERT INTO public."PermissionRequest" VALUES ('local', 'per_01a20312a286000r1TQC4lyWr2', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 50, 'expired', 1790000000004, '{"id":"per_01a20312a286000r1TQC4lyWr2","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"expired","message":null,"time":{"created":1790000000004,"replied":1790000000050}}');


--
-- Data for Name: Project; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Project" VALUES ('local', 'prj_01a20312a2850000nBzFkllO8U', '/home/ada/greeter', 1790000000900, '{"id":"prj_01a20312a2850000nBzFkllO8U","name":"greeter","directory":"/home/ada/greeter","worktree":"/home/ada/greeter","git":true,"time":{"created":1790000000001,"opened":1790000000900}}');
INSERT INTO public."Project" VALUES ('local', 'prj_01a20312a2850001TiarO5Qfhw', '/home/ada/ünïcode ''quoted''', 1790000000800, '{"id":"prj_01a20312a2850001TiarO5Qfhw","name":"ünïcode ''quoted''","directory":"/home/ada/ünïcode ''quoted''","worktree":"/home/ada","git":false,"time":{"created":1790000000002,"opened":1790000000800}}');
INSERT INTO public."Project" VALUES ('local', 'prj_01a20312a2880008GsxMfzFKrM', '/home/ada/lost', 1790000000900, '{"$shape":99,"id":"prj_01a20312a2880008GsxMfzFKrM"}');


--
-- Data for Name: Removal; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Removal" VALUES ('local', 'prt_01a20312a286000GKrP93XMqHv', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'part.remove', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a2860000B4tdXITchE', 51);
INSERT INTO public."Removal" VALUES ('local', 'msg_01a20312a286000FRRITKGlJEU', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'message.remove', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'msg_01a20312a286000FRRITKGlJEU', 52);
INSERT INTO public."Removal" VALUES ('local', 'ses_fe5dfced5d7azzzpa6AiMLRLP2', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'session.remove', 'ses_fe5dfced5d7azzzpa6AiMLRLP2', NULL, 53);
INSERT INTO public."Removal" VALUES ('local', 'ses_fe5dfced5d7azzzjesbOUv2vv1', 'ses_fe5dfced5d7azzzjesbOUv2vv1', 'session.remove', 'ses_fe5dfced5d7azzzjesbOUv2vv1', NULL, 2);


--
-- Data for Name: Schedule; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Schedule" VALUES ('local', 'sch_01a20312a287000DNWBIayxp3n', 1, 'prj_01a20312a2850000nBzFkllO8U', 'active', 5000, 1790000000001, '{"id":"sch_01a20312a287000DNWBIayxp3n","number":1,"projectID":"prj_01a20312a2850000nBzFkllO8U","sessionID":null,"phrase":"every hour","kind":"recurring","cron":"0 * * * *","interval":null,"message":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","agent":null,"model":{"providerID":"test","modelID":"model"},"status":"active","missed":"once","nextFireAt":5000,"lastRunAt":null,"runCount":0,"time":{"created":1790000000001,"updated":1790000000001}}');
INSERT INTO public."Schedule" VALUES ('local', 'sch_01a20312a287000FIebm1VojGF', 2, 'prj_01a20312a2850001TiarO5Qfhw', 'completed', NULL, 1790000000002, '{"id":"sch_01a20312a287000FIebm1VojGF","number":2,"projectID":"prj_01a20312a2850001TiarO5Qfhw","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","phrase":"every hour","kind":"one-shot","cron":null,"interval":null,"message":"look again","agent":null,"model":null,"status":"completed","missed":"once","nextFireAt":null,"lastRunAt":1790000000009,"runCount":1,"time":{"created":1790000000002,"updated":1790000000002}}');


--
-- Data for Name: ScheduleRun; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."ScheduleRun" VALUES ('local', 'run_01a20312a2880001slOS7looY4', 'sch_01a20312a287000DNWBIayxp3n', 'failed', 1790000000001, '{"id":"run_01a20312a2880001slOS7looY4","scheduleID":"sch_01a20312a287000DNWBIayxp3n","status":"failed","sessionID":null,"turnID":null,"dueAt":1000,"startedAt":1790000000001,"completedAt":1790000000002,"summary":"","error":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"}');
INSERT INTO public."ScheduleRun" VALUES ('local', 'run_01a20312a2880002b811vXIBlC', 'sch_01a20312a287000FIebm1VojGF', 'succeeded', 1790000000003, '{"id":"run_01a20312a2880002b811vXIBlC","scheduleID":"sch_01a20312a287000FIebm1VojGF","status":"succeeded","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","turnID":null,"dueAt":1000,"startedAt":1790000000003,"completedAt":1790000000004,"summary":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","error":null}');
INSERT INTO public."ScheduleRun" VALUES ('local', 'run_01a20312a2880003Bsy0Nyhyqh', 'sch_01a20312a287000DNWBIayxp3n', 'running', 1790000000005, '{"id":"run_01a20312a2880003Bsy0Nyhyqh","scheduleID":"sch_01a20312a287000DNWBIayxp3n","status":"running","sessionID":null,"turnID":null,"dueAt":1000,"startedAt":1790000000005,"completedAt":null,"summary":"","error":null}');


--
-- Data for Name: Session; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Session" VALUES ('local', 'ses_fe5dfced5d7azzzrk4NQll6iVU', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'prj_01a20312a2850000nBzFkllO8U', 2, 'Deeper', 'retry', 'nul , half a pair �, whole 😀, quote '' " \ %_', 0, 0, 1790000000030, 1790000000650, false, 3, 3, 0, '{"id":"ses_fe5dfced5d7azzzrk4NQll6iVU","projectID":"prj_01a20312a2850000nBzFkllO8U","parentID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","depth":2,"directory":"/project","title":"Deeper","agent":"build","model":null,"permission":[],"status":{"type":"retry","attempt":2,"message":"overloaded","next":1790000005000},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":{"messageID":"msg_01a20312a2850007fneQyDuEyL","callID":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"abortedAt":null,"time":{"created":1790000000030,"updated":1790000000650,"archived":null}}');
INSERT INTO public."Session" VALUES ('local', 'ses_fe5dfced5d7azzznxZBjZFAzsh', 'ses_fe5dfced5d7azzznxZBjZFAzsh', NULL, 'prj_01a20312a2850001TiarO5Qfhw', 0, 'Archived', 'idle', NULL, 0, 0, 1790000000003, 1790000000004, true, 1, 1, 0, '{"id":"ses_fe5dfced5d7azzznxZBjZFAzsh","projectID":"prj_01a20312a2850001TiarO5Qfhw","parentID":null,"rootID":"ses_fe5dfced5d7azzznxZBjZFAzsh","depth":0,"directory":"/project","title":"Archived","agent":"build","model":null,"permission":[],"status":{"type":"idle"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":null,"abortedAt":null,"time":{"created":1790000000003,"updated":1790000000004,"archived":1790000000005}}');
INSERT INTO public."Session" VALUES ('local', 'ses_fe5dfced5d7azzzlyRvjVkHspN', 'ses_fe5dfced5d7azzzlyRvjVkHspN', NULL, 'prj_01a20312a2850001TiarO5Qfhw', 0, 'plain 1000 items', 'idle', NULL, 0, 0, 1790000000040, 1790000000040, false, 1, 1, 0, '{"id":"ses_fe5dfced5d7azzzlyRvjVkHspN","projectID":"prj_01a20312a2850001TiarO5Qfhw","parentID":null,"rootID":"ses_fe5dfced5d7azzzlyRvjVkHspN","depth":0,"directory":"/project","title":"plain 1000 items","agent":"build","model":null,"permission":[],"status":{"type":"idle"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":null,"abortedAt":null,"time":{"created":1790000000040,"updated":1790000000040,"archived":null}}');
INSERT INTO public."Session" VALUES ('local', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', NULL, 'prj_01a20312a2850000nBzFkllO8U', 0, 'Ship 100%_ of it nul , half a pair �, whole 😀, quote '' " \ %_', 'busy', NULL, 0.125, 630, 1790000000010, 1790000000700, false, 1, 1, 34, '{"id":"ses_fe5dfced5d7azzzxd5haEmYhWh","projectID":"prj_01a20312a2850000nBzFkllO8U","parentID":null,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","depth":0,"directory":"/home/ada/greeter","title":"Ship 100%_ of it nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","agent":"build","model":{"providerID":"test","modelID":"model"},"permission":[{"permission":"bash","pattern":"git *","action":"allow"}],"status":{"type":"busy"},"cost":0.125,"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"origin":null,"abortedAt":null,"time":{"created":1790000000010,"updated":1790000000700,"archived":null},"variant":"high","tree":{"limits":{"tokens":1000,"cost":1.5,"wallClock":null,"toolCalls":9},"usage":{"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"cost":0.25,"toolCalls":3},"worked":1200,"since":null}}');
INSERT INTO public."Session" VALUES ('local', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'prj_01a20312a2850000nBzFkllO8U', 1, 'Look around (@explore subagent)', 'idle', 'call_1', 0.5, 630, 1790000000020, 1790000000600, false, 2, 2, 35, '{"id":"ses_fe5dfced5d7azzzuTiaRhsdfXP","projectID":"prj_01a20312a2850000nBzFkllO8U","parentID":"ses_fe5dfced5d7azzzxd5haEmYhWh","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","depth":1,"directory":"/project","title":"Look around (@explore subagent)","agent":"explore","model":null,"permission":[],"status":{"type":"idle"},"cost":0.5,"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"origin":{"messageID":"msg_01a20312a2850004kcExaQdZtN","callID":"call_1"},"abortedAt":1790000000070,"time":{"created":1790000000020,"updated":1790000000600,"archived":null}}');
INSERT INTO public."Session" VALUES ('acme', 'ses_fe5dfced5d77zzzqTnVfVHsNgN', 'ses_fe5dfced5d77zzzqTnVfVHsNgN', NULL, 'prj_01a20312a288000A156ws3zjK1', 0, 'Of another tenant', 'idle', NULL, 0, 0, 1000, 1000, false, 1, 1, 2, '{"id":"ses_fe5dfced5d77zzzqTnVfVHsNgN","projectID":"prj_01a20312a288000A156ws3zjK1","parentID":null,"rootID":"ses_fe5dfced5d77zzzqTnVfVHsNgN","depth":0,"directory":"/project","title":"Of another tenant","agent":"build","model":null,"permission":[],"status":{"type":"idle"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":null,"abortedAt":null,"time":{"created":1000,"updated":1000,"archived":null}}');


--
-- Data for Name: Share; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Share" VALUES ('local', 'shr_01a20312a287000HcoQW5HADax', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1000, '{"id":"shr_01a20312a287000HcoQW5HADax","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","secretHash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","time":{"created":1000,"revoked":null}}');
INSERT INTO public."Share" VALUES ('local', 'shr_01a20312a287000I34fmS6dNGX', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 1790000000003, '{"id":"shr_01a20312a287000I34fmS6dNGX","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","secretHash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","time":{"created":1790000000003,"revoked":1790000000004}}');


--
-- Data for Name: Task; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Task" VALUES ('local', 'tsk_01a20312a286000da5bfesF20D', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 42, 1, 'untold', 'ready', 1790000000001, '{"id":"tsk_01a20312a286000da5bfesF20D","number":1,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"background","state":"completed","result":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","resultPath":null,"outputSchema":{"type":"object"},"output":{"odd":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"error":null,"usage":{"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"cost":0.5,"toolCalls":2},"limits":{"tokens":null,"cost":null,"wallClock":null,"toolCalls":null},"deadline":null,"todoID":null,"worktree":{"directory":"/w","branch":"docket/w","base":"0","state":"ready","conflicts":["a.txt"]},"delivered":"no","time":{"created":1790000000001,"started":1790000000002,"ended":1790000000003}}');
INSERT INTO public."Task" VALUES ('local', 'tsk_01a20312a286000eE1sP7gc8m1', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 43, 2, 'running', NULL, 1790000000004, '{"id":"tsk_01a20312a286000eE1sP7gc8m1","number":2,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"blocking","state":"running","result":null,"resultPath":null,"outputSchema":null,"output":null,"error":null,"usage":{"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0,"toolCalls":0},"limits":{"tokens":5,"cost":1,"wallClock":7,"toolCalls":8},"deadline":1790000000099,"todoID":null,"worktree":null,"delivered":"no","time":{"created":1790000000004,"started":1790000000005,"ended":null}}');
INSERT INTO public."Task" VALUES ('local', 'tsk_01a20312a286000fJzCv8K4T9e', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'ses_fe5dfced5d7azzzrk4NQll6iVU', 44, 3, 'failed', 'merged', 1790000000004, '{"id":"tsk_01a20312a286000fJzCv8K4T9e","number":3,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","sessionID":"ses_fe5dfced5d7azzzrk4NQll6iVU","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"blocking","state":"failed","result":null,"resultPath":null,"outputSchema":null,"output":null,"error":{"type":"limit_reached","message":"too much"},"usage":{"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0,"toolCalls":0},"limits":{"tokens":null,"cost":null,"wallClock":null,"toolCalls":null},"deadline":null,"todoID":null,"worktree":{"directory":"/w","branch":"docket/w","base":"0","state":"merged","conflicts":["a.txt"]},"delivered":"poll","time":{"created":1790000000004,"started":null,"ended":1790000000008}}');
INSERT INTO public."Task" VALUES ('local', 'tsk_01a20312a286000gOJdVQT0mip', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'ses_fe5dfced5d7azzzrk4NQll6iVU', 45, 4, 'queued', NULL, 1790000000006, '{"id":"tsk_01a20312a286000gOJdVQT0mip","number":4,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","sessionID":"ses_fe5dfced5d7azzzrk4NQll6iVU","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"blocking","state":"queued","result":null,"resultPath":null,"outputSchema":null,"output":null,"error":null,"usage":{"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0,"toolCalls":0},"limits":{"tokens":null,"cost":null,"wallClock":null,"toolCalls":null},"deadline":null,"todoID":"tod_01a20312a286000ZEBYmSHjSSR","worktree":null,"delivered":"no","time":{"created":1790000000006,"started":null,"ended":null}}');


--
-- Data for Name: Todo; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a286000YeeEwvxrHmE', 1, 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'completed', 0, '{"id":"tod_01a20312a286000YeeEwvxrHmE","number":1,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","description":"","status":"completed","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000002,"completed":1790000000002}}', 'build', 2, 1790000000002);
INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a286000ZEBYmSHjSSR', 2, 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'in_progress', 1, '{"id":"tod_01a20312a286000ZEBYmSHjSSR","number":2,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 1","description":"","status":"in_progress","priority":"high","position":1,"agent":null,"dependsOn":[],"owner":{"agent":"explore","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","taskID":null},"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}', NULL, 0, 1000);
INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a286000a89tDubdd0d', 3, 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'cancelled', 2, '{"id":"tod_01a20312a286000a89tDubdd0d","number":3,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 2","description":"","status":"cancelled","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}', NULL, 3, 1000);
INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a286000batw8cW52tG', 4, 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'pending', 3, '{"id":"tod_01a20312a286000batw8cW52tG","number":4,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 3","description":"","status":"pending","priority":"medium","position":3,"agent":null,"dependsOn":["tod_01a20312a286000ZEBYmSHjSSR"],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}', NULL, 1, 1000);
INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a286000cPkO6EDGW8Y', 5, 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'pending', 0, '{"id":"tod_01a20312a286000cPkO6EDGW8Y","number":5,"sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","content":"item 0","description":"","status":"pending","priority":"medium","position":0,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}', NULL, 1, 1000);
INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a28700023vwNSEsWDt', 6, NULL, NULL, 'pending', 0, '{"id":"tod_01a20312a28700023vwNSEsWDt","number":6,"sessionID":null,"content":"for everyone","description":"","status":"pending","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}', 'build', 1, 1000);
INSERT INTO public."Todo" VALUES ('local', 'tod_01a20312a2870005uEVfSa3oVC', 7, NULL, NULL, 'completed', 1, '{"id":"tod_01a20312a2870005uEVfSa3oVC","number":7,"sessionID":null,"content":"item 1","description":"","status":"completed","priority":"medium","position":1,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000009,"completed":1790000000009}}', NULL, 2, 1790000000009);
INSERT INTO public."Todo" VALUES ('acme', 'tod_01a20312a288000BganKvUNjj9', 1, 'ses_fe5dfced5d77zzzqTnVfVHsNgN', 'ses_fe5dfced5d77zzzqTnVfVHsNgN', 'pending', 0, '{"id":"tod_01a20312a288000BganKvUNjj9","number":1,"sessionID":"ses_fe5dfced5d77zzzqTnVfVHsNgN","content":"item 0","description":"","status":"pending","priority":"medium","position":0,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}', NULL, 1, 1000);


--
-- Data for Name: TodoChange; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a286000sPvEqFLfRyl', 'tod_01a20312a286000YeeEwvxrHmE', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 1790000000000, '{"id":"tdc_01a20312a286000sPvEqFLfRyl","todoID":"tod_01a20312a286000YeeEwvxrHmE","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000000,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000YeeEwvxrHmE","number":1,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","description":"","status":"completed","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000002,"completed":1790000000002}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a286000t97gyfC2Ge9', 'tod_01a20312a286000ZEBYmSHjSSR', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 1790000000001, '{"id":"tdc_01a20312a286000t97gyfC2Ge9","todoID":"tod_01a20312a286000ZEBYmSHjSSR","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000001,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000ZEBYmSHjSSR","number":2,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 1","description":"","status":"in_progress","priority":"high","position":1,"agent":null,"dependsOn":[],"owner":{"agent":"explore","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","taskID":null},"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a286000u8wTmSoXT5d', 'tod_01a20312a286000a89tDubdd0d', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 1790000000002, '{"id":"tdc_01a20312a286000u8wTmSoXT5d","todoID":"tod_01a20312a286000a89tDubdd0d","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000002,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000a89tDubdd0d","number":3,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 2","description":"","status":"cancelled","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a286000vbH5MN7hH2G', 'tod_01a20312a286000batw8cW52tG', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 1790000000003, '{"id":"tdc_01a20312a286000vbH5MN7hH2G","todoID":"tod_01a20312a286000batw8cW52tG","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000003,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000batw8cW52tG","number":4,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 3","description":"","status":"pending","priority":"medium","position":3,"agent":null,"dependsOn":["tod_01a20312a286000ZEBYmSHjSSR"],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a286000w8kenf39qBv', 'tod_01a20312a286000cPkO6EDGW8Y', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 1000, '{"id":"tdc_01a20312a286000w8kenf39qBv","todoID":"tod_01a20312a286000cPkO6EDGW8Y","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","at":1000,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a286000cPkO6EDGW8Y","number":5,"sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","content":"item 0","description":"","status":"pending","priority":"medium","position":0,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a2880004gO5svtxvXN', 'tod_01a20312a28700023vwNSEsWDt', NULL, 1790000000050, '{"id":"tdc_01a20312a2880004gO5svtxvXN","todoID":"tod_01a20312a28700023vwNSEsWDt","sessionID":null,"at":1790000000050,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a28700023vwNSEsWDt","number":6,"sessionID":null,"content":"for everyone","description":"","status":"pending","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a2880005RXAjWN0BfD', 'tod_01a20312a2870005uEVfSa3oVC', NULL, 1790000000051, '{"id":"tdc_01a20312a2880005RXAjWN0BfD","todoID":"tod_01a20312a2870005uEVfSa3oVC","sessionID":null,"at":1790000000051,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a2870005uEVfSa3oVC","number":7,"sessionID":null,"content":"item 1","description":"","status":"completed","priority":"medium","position":1,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000009,"completed":1790000000009}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a2880006AtPDnETxSy', 'tod_01a20312a28700089rmV7BDwkg', NULL, 1790000000060, '{"id":"tdc_01a20312a2880006AtPDnETxSy","todoID":"tod_01a20312a28700089rmV7BDwkg","sessionID":null,"at":1790000000060,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a28700089rmV7BDwkg","number":8,"sessionID":null,"content":"item 2","description":"","status":"pending","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO public."TodoChange" VALUES ('local', 'tdc_01a20312a2880007mfZQutwrz5', 'tod_01a20312a28700089rmV7BDwkg', NULL, 1790000000061, '{"id":"tdc_01a20312a2880007mfZQutwrz5","todoID":"tod_01a20312a28700089rmV7BDwkg","sessionID":null,"at":1790000000061,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":{"id":"tod_01a20312a28700089rmV7BDwkg","number":8,"sessionID":null,"content":"item 2","description":"","status":"pending","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}},"after":null}');


--
-- Data for Name: Tree; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Tree" VALUES ('local', 'ses_fe5dfced5d7azzzlyRvjVkHspN', 1, true);
INSERT INTO public."Tree" VALUES ('local', 'ses_fe5dfced5d7azzznxZBjZFAzsh', 1, true);
INSERT INTO public."Tree" VALUES ('local', 'ses_fe5dfced5d7azzzjesbOUv2vv1', 2, false);
INSERT INTO public."Tree" VALUES ('local', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 54, true);
INSERT INTO public."Tree" VALUES ('acme', 'ses_fe5dfced5d77zzzqTnVfVHsNgN', 2, true);


--
-- Data for Name: Turn; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public."Turn" VALUES ('local', 'trn_01a20312a286000inTA0353aY9', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 37, 'running', 1, 1790000000001, '{"id":"trn_01a20312a286000inTA0353aY9","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","status":"running","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":null,"attempt":1,"epoch":1,"error":null,"time":{"created":1790000000001,"started":null,"ended":null}}');
INSERT INTO public."Turn" VALUES ('local', 'trn_01a20312a286000jUxGi9DyvkI', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 38, 'completed', 2, 1790000000002, '{"id":"trn_01a20312a286000jUxGi9DyvkI","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","status":"completed","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":2,"epoch":2,"error":null,"time":{"created":1790000000002,"started":null,"ended":null}}');
INSERT INTO public."Turn" VALUES ('local', 'trn_01a20312a286000kqMRQX9oB8x', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 39, 'failed', 3, 1790000000003, '{"id":"trn_01a20312a286000kqMRQX9oB8x","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","status":"failed","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":0,"epoch":3,"error":{"name":"APIError","message":"no","statusCode":500,"retryable":false},"time":{"created":1790000000003,"started":null,"ended":null}}');
INSERT INTO public."Turn" VALUES ('local', 'trn_01a20312a286000lJHq17D5YB7', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 40, 'aborted', 4, 1790000000004, '{"id":"trn_01a20312a286000lJHq17D5YB7","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","status":"aborted","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":1,"epoch":4,"error":null,"time":{"created":1790000000004,"started":null,"ended":null}}');
INSERT INTO public."Turn" VALUES ('local', 'trn_01a20312a286000mOjjbYrszEb', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzuTiaRhsdfXP', 41, 'interrupted', 5, 1790000000005, '{"id":"trn_01a20312a286000mOjjbYrszEb","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","status":"interrupted","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":2,"epoch":5,"error":null,"time":{"created":1790000000005,"started":null,"ended":null}}');
INSERT INTO public."Turn" VALUES ('local', 'trn_01a20312a286000hvdpZydSvnq', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 'ses_fe5dfced5d7azzzxd5haEmYhWh', 54, 'running', 1, 1790000000000, '{"id":"trn_01a20312a286000hvdpZydSvnq","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","status":"running","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":null,"attempt":1,"epoch":1,"error":null,"time":{"created":1790000000000,"started":1790000000077,"ended":null}}');


--
-- Data for Name: _docket_claims; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public._docket_claims VALUES (1);


--
-- Data for Name: _prisma_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public._prisma_migrations VALUES ('ae5266a0-8275-42ab-99fa-8a152d4e969a', '8d635d1a6d067594f80ab6538fd2f53020d9d2b9023d827944349abb2d648a5f', '2026-11-22 11:44:43.299519', '0001_init', NULL, NULL, '2026-11-22 11:44:43.299519', 1);
INSERT INTO public._prisma_migrations VALUES ('74653768-20cc-4d5e-82f2-59d9b2eb4d7f', '0bf6c011fb8c6d18466cb8d49d3b1355dee2c67d9079c62934ed75491533f0e5', '2026-11-22 11:44:43.317387', '0002_work_and_memory', NULL, NULL, '2026-11-22 11:44:43.317387', 1);
INSERT INTO public._prisma_migrations VALUES ('af38d80a-dfd4-4bd6-b97c-095b29325e9a', 'fe1307e2c489b49659514e201138937019073e81b8d150982aa2dc5a3acd2d88', '2026-11-22 11:44:43.328708', '0003_trust', NULL, NULL, '2026-11-22 11:44:43.328708', 1);


--
-- Name: ApiToken ApiToken_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."ApiToken"
    ADD CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: ConfigTrust ConfigTrust_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."ConfigTrust"
    ADD CONSTRAINT "ConfigTrust_pkey" PRIMARY KEY ("tenantID", hash);


--
-- Name: Counter Counter_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Counter"
    ADD CONSTRAINT "Counter_pkey" PRIMARY KEY ("tenantID", name);


--
-- Name: Memory Memory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Memory"
    ADD CONSTRAINT "Memory_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Message Message_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Message"
    ADD CONSTRAINT "Message_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Part Part_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Part"
    ADD CONSTRAINT "Part_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: PermissionGrant PermissionGrant_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."PermissionGrant"
    ADD CONSTRAINT "PermissionGrant_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: PermissionRequest PermissionRequest_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."PermissionRequest"
    ADD CONSTRAINT "PermissionRequest_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Project Project_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Project"
    ADD CONSTRAINT "Project_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Removal Removal_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Removal"
    ADD CONSTRAINT "Removal_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: ScheduleRun ScheduleRun_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."ScheduleRun"
    ADD CONSTRAINT "ScheduleRun_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Schedule Schedule_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Schedule"
    ADD CONSTRAINT "Schedule_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Session Session_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Share Share_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Share"
    ADD CONSTRAINT "Share_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Task Task_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Task"
    ADD CONSTRAINT "Task_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: TodoChange TodoChange_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."TodoChange"
    ADD CONSTRAINT "TodoChange_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Todo Todo_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Todo"
    ADD CONSTRAINT "Todo_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: Tree Tree_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Tree"
    ADD CONSTRAINT "Tree_pkey" PRIMARY KEY ("tenantID", "rootID");


--
-- Name: Turn Turn_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Turn"
    ADD CONSTRAINT "Turn_pkey" PRIMARY KEY ("tenantID", id);


--
-- Name: _docket_claims _docket_claims_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public._docket_claims
    ADD CONSTRAINT _docket_claims_pkey PRIMARY KEY (number);


--
-- Name: _prisma_migrations _prisma_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);


--
-- Name: ApiToken_id_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX "ApiToken_id_key" ON public."ApiToken" USING btree (id);


--
-- Name: ApiToken_tenantID_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "ApiToken_tenantID_created_idx" ON public."ApiToken" USING btree ("tenantID", created);


--
-- Name: ApiToken_tokenHash_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX "ApiToken_tokenHash_key" ON public."ApiToken" USING btree ("tokenHash");


--
-- Name: ConfigTrust_tenantID_directory_trusted_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "ConfigTrust_tenantID_directory_trusted_idx" ON public."ConfigTrust" USING btree ("tenantID", directory, trusted);


--
-- Name: Memory_tenantID_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Memory_tenantID_created_idx" ON public."Memory" USING btree ("tenantID", created);


--
-- Name: Memory_tenantID_number_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Memory_tenantID_number_idx" ON public."Memory" USING btree ("tenantID", number);


--
-- Name: Memory_tenantID_sessionID_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Memory_tenantID_sessionID_idx" ON public."Memory" USING btree ("tenantID", "sessionID");


--
-- Name: Message_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Message_tenantID_rootID_seq_idx" ON public."Message" USING btree ("tenantID", "rootID", seq);


--
-- Name: Message_tenantID_sessionID_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Message_tenantID_sessionID_id_idx" ON public."Message" USING btree ("tenantID", "sessionID", id);


--
-- Name: Part_tenantID_messageID_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Part_tenantID_messageID_id_idx" ON public."Part" USING btree ("tenantID", "messageID", id);


--
-- Name: Part_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Part_tenantID_rootID_seq_idx" ON public."Part" USING btree ("tenantID", "rootID", seq);


--
-- Name: Part_tenantID_sessionID_toolStatus_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Part_tenantID_sessionID_toolStatus_idx" ON public."Part" USING btree ("tenantID", "sessionID", "toolStatus");


--
-- Name: PermissionGrant_tenantID_rootID_createdAt_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "PermissionGrant_tenantID_rootID_createdAt_idx" ON public."PermissionGrant" USING btree ("tenantID", "rootID", "createdAt");


--
-- Name: PermissionRequest_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "PermissionRequest_tenantID_rootID_seq_idx" ON public."PermissionRequest" USING btree ("tenantID", "rootID", seq);


--
-- Name: PermissionRequest_tenantID_sessionID_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "PermissionRequest_tenantID_sessionID_idx" ON public."PermissionRequest" USING btree ("tenantID", "sessionID");


--
-- Name: PermissionRequest_tenantID_status_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "PermissionRequest_tenantID_status_created_idx" ON public."PermissionRequest" USING btree ("tenantID", status, created);


--
-- Name: Project_tenantID_directory_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX "Project_tenantID_directory_key" ON public."Project" USING btree ("tenantID", directory);


--
-- Name: Project_tenantID_opened_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Project_tenantID_opened_idx" ON public."Project" USING btree ("tenantID", opened);


--
-- Name: Removal_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Removal_tenantID_rootID_seq_idx" ON public."Removal" USING btree ("tenantID", "rootID", seq);


--
-- Name: ScheduleRun_tenantID_scheduleID_startedAt_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "ScheduleRun_tenantID_scheduleID_startedAt_idx" ON public."ScheduleRun" USING btree ("tenantID", "scheduleID", "startedAt");


--
-- Name: ScheduleRun_tenantID_startedAt_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "ScheduleRun_tenantID_startedAt_idx" ON public."ScheduleRun" USING btree ("tenantID", "startedAt");


--
-- Name: ScheduleRun_tenantID_status_startedAt_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "ScheduleRun_tenantID_status_startedAt_idx" ON public."ScheduleRun" USING btree ("tenantID", status, "startedAt");


--
-- Name: Schedule_tenantID_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Schedule_tenantID_created_idx" ON public."Schedule" USING btree ("tenantID", created);


--
-- Name: Schedule_tenantID_number_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Schedule_tenantID_number_idx" ON public."Schedule" USING btree ("tenantID", number);


--
-- Name: Schedule_tenantID_status_nextFireAt_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Schedule_tenantID_status_nextFireAt_idx" ON public."Schedule" USING btree ("tenantID", status, "nextFireAt");


--
-- Name: Session_tenantID_depth_updated_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Session_tenantID_depth_updated_idx" ON public."Session" USING btree ("tenantID", depth, updated);


--
-- Name: Session_tenantID_parentID_originCallID_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Session_tenantID_parentID_originCallID_idx" ON public."Session" USING btree ("tenantID", "parentID", "originCallID");


--
-- Name: Session_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Session_tenantID_rootID_seq_idx" ON public."Session" USING btree ("tenantID", "rootID", seq);


--
-- Name: Session_tenantID_rootID_todoSeq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Session_tenantID_rootID_todoSeq_idx" ON public."Session" USING btree ("tenantID", "rootID", "todoSeq");


--
-- Name: Share_tenantID_rootID_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Share_tenantID_rootID_created_idx" ON public."Share" USING btree ("tenantID", "rootID", created);


--
-- Name: Share_tenantID_secretHash_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX "Share_tenantID_secretHash_key" ON public."Share" USING btree ("tenantID", "secretHash");


--
-- Name: Task_tenantID_rootID_number_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Task_tenantID_rootID_number_idx" ON public."Task" USING btree ("tenantID", "rootID", number);


--
-- Name: Task_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Task_tenantID_rootID_seq_idx" ON public."Task" USING btree ("tenantID", "rootID", seq);


--
-- Name: Task_tenantID_sessionID_number_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Task_tenantID_sessionID_number_idx" ON public."Task" USING btree ("tenantID", "sessionID", number);


--
-- Name: Task_tenantID_state_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Task_tenantID_state_created_idx" ON public."Task" USING btree ("tenantID", state, created);


--
-- Name: Task_tenantID_worktree_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Task_tenantID_worktree_idx" ON public."Task" USING btree ("tenantID", worktree);


--
-- Name: TodoChange_tenantID_sessionID_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "TodoChange_tenantID_sessionID_at_idx" ON public."TodoChange" USING btree ("tenantID", "sessionID", at);


--
-- Name: TodoChange_tenantID_todoID_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "TodoChange_tenantID_todoID_at_idx" ON public."TodoChange" USING btree ("tenantID", "todoID", at);


--
-- Name: Todo_tenantID_number_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Todo_tenantID_number_idx" ON public."Todo" USING btree ("tenantID", number);


--
-- Name: Todo_tenantID_rank_position_updated_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Todo_tenantID_rank_position_updated_id_idx" ON public."Todo" USING btree ("tenantID", rank, "position", updated DESC, id);


--
-- Name: Todo_tenantID_rootID_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Todo_tenantID_rootID_idx" ON public."Todo" USING btree ("tenantID", "rootID");


--
-- Name: Todo_tenantID_sessionID_position_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Todo_tenantID_sessionID_position_idx" ON public."Todo" USING btree ("tenantID", "sessionID", "position");


--
-- Name: Todo_tenantID_sessionID_rank_position_updated_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Todo_tenantID_sessionID_rank_position_updated_id_idx" ON public."Todo" USING btree ("tenantID", "sessionID", rank, "position", updated DESC, id);


--
-- Name: Turn_tenantID_rootID_seq_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Turn_tenantID_rootID_seq_idx" ON public."Turn" USING btree ("tenantID", "rootID", seq);


--
-- Name: Turn_tenantID_sessionID_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Turn_tenantID_sessionID_idx" ON public."Turn" USING btree ("tenantID", "sessionID");


--
-- Name: Turn_tenantID_status_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX "Turn_tenantID_status_created_idx" ON public."Turn" USING btree ("tenantID", status, created);


--
-- Name: Memory Memory_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Memory"
    ADD CONSTRAINT "Memory_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Message Message_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Message"
    ADD CONSTRAINT "Message_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Part Part_tenantID_messageID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Part"
    ADD CONSTRAINT "Part_tenantID_messageID_fkey" FOREIGN KEY ("tenantID", "messageID") REFERENCES public."Message"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: PermissionGrant PermissionGrant_tenantID_rootID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."PermissionGrant"
    ADD CONSTRAINT "PermissionGrant_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: PermissionRequest PermissionRequest_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."PermissionRequest"
    ADD CONSTRAINT "PermissionRequest_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: ScheduleRun ScheduleRun_tenantID_scheduleID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."ScheduleRun"
    ADD CONSTRAINT "ScheduleRun_tenantID_scheduleID_fkey" FOREIGN KEY ("tenantID", "scheduleID") REFERENCES public."Schedule"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Session Session_tenantID_parentID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Session"
    ADD CONSTRAINT "Session_tenantID_parentID_fkey" FOREIGN KEY ("tenantID", "parentID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Share Share_tenantID_rootID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Share"
    ADD CONSTRAINT "Share_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Task Task_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Task"
    ADD CONSTRAINT "Task_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: TodoChange TodoChange_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."TodoChange"
    ADD CONSTRAINT "TodoChange_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Todo Todo_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Todo"
    ADD CONSTRAINT "Todo_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- Name: Turn Turn_tenantID_sessionID_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."Turn"
    ADD CONSTRAINT "Turn_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES public."Session"("tenantID", id) ON UPDATE CASCADE ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict V51hPjJIh1NbaViRgI9D5iFdaRiRjLeXMvoBf0fLVRTeKae4SpWcmU8eSTaDBRz

