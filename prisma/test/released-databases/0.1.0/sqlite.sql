PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMP,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMP,
  "started_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
);
INSERT INTO _prisma_migrations VALUES('74146f5a-843e-49e9-8468-4b84afb7585a','44a0a429c4c5261295445b5e213dffd80091348ac3cadc7f2deb9e3cf822ce2d','2026-11-22 11:44:42','0001_init',NULL,NULL,'2026-11-22 11:44:42',1);
INSERT INTO _prisma_migrations VALUES('cec2ab7e-ad34-45bb-a7f8-73ab9a8d30c0','8a98a704841e022dcd367b72b30884f42514901791d3da7ede39891a20939bf2','2026-11-22 11:44:42','0002_work_and_memory',NULL,NULL,'2026-11-22 11:44:42',1);
INSERT INTO _prisma_migrations VALUES('84b0c9b2-9020-422a-ac6f-18fe6b44133e','c5ae1a1025541d32892981631a0b03c5cb6a907d496d2923e6fe44a1d87e46bb','2026-11-22 11:44:42','0003_trust',NULL,NULL,'2026-11-22 11:44:42',1);
CREATE TABLE IF NOT EXISTS "Project" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "directory" TEXT NOT NULL,
    "opened" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);
INSERT INTO Project VALUES('local','prj_01a20312a2850000nBzFkllO8U','/home/ada/greeter',1790000000900.0,'{"id":"prj_01a20312a2850000nBzFkllO8U","name":"greeter","directory":"/home/ada/greeter","worktree":"/home/ada/greeter","git":true,"time":{"created":1790000000001,"opened":1790000000900}}');
INSERT INTO Project VALUES('local','prj_01a20312a2850001TiarO5Qfhw','/home/ada/ünïcode ''quoted''',1790000000800.0,'{"id":"prj_01a20312a2850001TiarO5Qfhw","name":"ünïcode ''quoted''","directory":"/home/ada/ünïcode ''quoted''","worktree":"/home/ada","git":false,"time":{"created":1790000000002,"opened":1790000000800}}');
INSERT INTO Project VALUES('local','prj_01a20312a2880008GsxMfzFKrM','/home/ada/lost',1790000000900.0,'{"$shape":99,"id":"prj_01a20312a2880008GsxMfzFKrM"}');
CREATE TABLE IF NOT EXISTS "Tree" (
    "tenantID" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "alive" BOOLEAN NOT NULL,

    PRIMARY KEY ("tenantID", "rootID")
);
INSERT INTO Tree VALUES('local','ses_fe5dfced5d7azzzxd5haEmYhWh',54,1);
INSERT INTO Tree VALUES('local','ses_fe5dfced5d7azzzjesbOUv2vv1',2,0);
INSERT INTO Tree VALUES('local','ses_fe5dfced5d7azzzlyRvjVkHspN',1,1);
INSERT INTO Tree VALUES('local','ses_fe5dfced5d7azzznxZBjZFAzsh',1,1);
INSERT INTO Tree VALUES('acme','ses_fe5dfced5d77zzzqTnVfVHsNgN',2,1);
CREATE TABLE IF NOT EXISTS "Session" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "parentID" TEXT,
    "projectID" TEXT NOT NULL,
    "depth" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "originCallID" TEXT,
    "cost" REAL NOT NULL,
    "tokens" REAL NOT NULL,
    "created" REAL NOT NULL,
    "updated" REAL NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "seq" INTEGER NOT NULL,
    "createdSeq" INTEGER NOT NULL,
    "todoSeq" INTEGER NOT NULL DEFAULT 0,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Session_tenantID_parentID_fkey" FOREIGN KEY ("tenantID", "parentID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Session VALUES('local','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',NULL,'prj_01a20312a2850000nBzFkllO8U',0,'Ship 100%_ of it nul , half a pair �, whole 😀, quote '' " \ %_','busy',NULL,0.125,630.0,1790000000010.0,1790000000700.0,0,1,1,34,'{"id":"ses_fe5dfced5d7azzzxd5haEmYhWh","projectID":"prj_01a20312a2850000nBzFkllO8U","parentID":null,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","depth":0,"directory":"/home/ada/greeter","title":"Ship 100%_ of it nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","agent":"build","model":{"providerID":"test","modelID":"model"},"permission":[{"permission":"bash","pattern":"git *","action":"allow"}],"status":{"type":"busy"},"cost":0.125,"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"origin":null,"abortedAt":null,"time":{"created":1790000000010,"updated":1790000000700,"archived":null},"variant":"high","tree":{"limits":{"tokens":1000,"cost":1.5,"wallClock":null,"toolCalls":9},"usage":{"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"cost":0.25,"toolCalls":3},"worked":1200,"since":null}}');
INSERT INTO Session VALUES('local','ses_fe5dfced5d7azzzuTiaRhsdfXP','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','prj_01a20312a2850000nBzFkllO8U',1,'Look around (@explore subagent)','idle','call_1',0.5,630.0,1790000000020.0,1790000000600.0,0,2,2,35,'{"id":"ses_fe5dfced5d7azzzuTiaRhsdfXP","projectID":"prj_01a20312a2850000nBzFkllO8U","parentID":"ses_fe5dfced5d7azzzxd5haEmYhWh","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","depth":1,"directory":"/project","title":"Look around (@explore subagent)","agent":"explore","model":null,"permission":[],"status":{"type":"idle"},"cost":0.5,"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"origin":{"messageID":"msg_01a20312a2850004kcExaQdZtN","callID":"call_1"},"abortedAt":1790000000070,"time":{"created":1790000000020,"updated":1790000000600,"archived":null}}');
INSERT INTO Session VALUES('local','ses_fe5dfced5d7azzzrk4NQll6iVU','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP','prj_01a20312a2850000nBzFkllO8U',2,'Deeper','retry','nul , half a pair �, whole 😀, quote '' " \ %_',0.0,0.0,1790000000030.0,1790000000650.0,0,3,3,0,'{"id":"ses_fe5dfced5d7azzzrk4NQll6iVU","projectID":"prj_01a20312a2850000nBzFkllO8U","parentID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","depth":2,"directory":"/project","title":"Deeper","agent":"build","model":null,"permission":[],"status":{"type":"retry","attempt":2,"message":"overloaded","next":1790000005000},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":{"messageID":"msg_01a20312a2850007fneQyDuEyL","callID":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"abortedAt":null,"time":{"created":1790000000030,"updated":1790000000650,"archived":null}}');
INSERT INTO Session VALUES('local','ses_fe5dfced5d7azzznxZBjZFAzsh','ses_fe5dfced5d7azzznxZBjZFAzsh',NULL,'prj_01a20312a2850001TiarO5Qfhw',0,'Archived','idle',NULL,0.0,0.0,1790000000003.0,1790000000004.0,1,1,1,0,'{"id":"ses_fe5dfced5d7azzznxZBjZFAzsh","projectID":"prj_01a20312a2850001TiarO5Qfhw","parentID":null,"rootID":"ses_fe5dfced5d7azzznxZBjZFAzsh","depth":0,"directory":"/project","title":"Archived","agent":"build","model":null,"permission":[],"status":{"type":"idle"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":null,"abortedAt":null,"time":{"created":1790000000003,"updated":1790000000004,"archived":1790000000005}}');
INSERT INTO Session VALUES('local','ses_fe5dfced5d7azzzlyRvjVkHspN','ses_fe5dfced5d7azzzlyRvjVkHspN',NULL,'prj_01a20312a2850001TiarO5Qfhw',0,'plain 1000 items','idle',NULL,0.0,0.0,1790000000040.0,1790000000040.0,0,1,1,0,'{"id":"ses_fe5dfced5d7azzzlyRvjVkHspN","projectID":"prj_01a20312a2850001TiarO5Qfhw","parentID":null,"rootID":"ses_fe5dfced5d7azzzlyRvjVkHspN","depth":0,"directory":"/project","title":"plain 1000 items","agent":"build","model":null,"permission":[],"status":{"type":"idle"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":null,"abortedAt":null,"time":{"created":1790000000040,"updated":1790000000040,"archived":null}}');
INSERT INTO Session VALUES('acme','ses_fe5dfced5d77zzzqTnVfVHsNgN','ses_fe5dfced5d77zzzqTnVfVHsNgN',NULL,'prj_01a20312a288000A156ws3zjK1',0,'Of another tenant','idle',NULL,0.0,0.0,1000.0,1000.0,0,1,1,2,'{"id":"ses_fe5dfced5d77zzzqTnVfVHsNgN","projectID":"prj_01a20312a288000A156ws3zjK1","parentID":null,"rootID":"ses_fe5dfced5d77zzzqTnVfVHsNgN","depth":0,"directory":"/project","title":"Of another tenant","agent":"build","model":null,"permission":[],"status":{"type":"idle"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"origin":null,"abortedAt":null,"time":{"created":1000,"updated":1000,"archived":null}}');
CREATE TABLE IF NOT EXISTS "Message" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "summary" BOOLEAN NOT NULL,
    "open" BOOLEAN NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Message_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Message VALUES('local','msg_01a20312a2860000B4tdXITchE','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',5,'user',0,0,'{"id":"msg_01a20312a2860000B4tdXITchE","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000100}}');
INSERT INTO Message VALUES('local','msg_01a20312a2860001Vj2as4vEZj','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',6,'assistant',0,0,'{"id":"msg_01a20312a2860001Vj2as4vEZj","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860000B4tdXITchE","finish":"stop","error":null,"cost":0.01,"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"time":{"created":1000,"completed":2000}}');
INSERT INTO Message VALUES('local','msg_01a20312a2860002dM4H9c744r','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',7,'user',0,0,'{"id":"msg_01a20312a2860002dM4H9c744r","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000101},"system":"Be brief."}');
INSERT INTO Message VALUES('local','msg_01a20312a2860003EWTLlD37g0','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',8,'assistant',1,0,'{"id":"msg_01a20312a2860003EWTLlD37g0","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860001Vj2as4vEZj","finish":"stop","error":null,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1000,"completed":2000},"summary":true}');
INSERT INTO Message VALUES('local','msg_01a20312a28600044WOqD7V3UO','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',9,'user',0,0,'{"id":"msg_01a20312a28600044WOqD7V3UO","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000102}}');
INSERT INTO Message VALUES('local','msg_01a20312a2860006tXRyVPYFiC','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',10,'assistant',0,0,'{"id":"msg_01a20312a2860006tXRyVPYFiC","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860002dM4H9c744r","finish":null,"error":{"name":"AbortedError","message":"Stopped.","statusCode":null,"retryable":false},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1000,"completed":2000}}');
INSERT INTO Message VALUES('local','msg_01a20312a2860008PjA3vZE0Cx','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',11,'user',0,0,'{"id":"msg_01a20312a2860008PjA3vZE0Cx","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1790000000103}}');
INSERT INTO Message VALUES('local','msg_01a20312a286000AAuuNRqhWWx','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',12,'assistant',0,1,'{"id":"msg_01a20312a286000AAuuNRqhWWx","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a2860003EWTLlD37g0","finish":null,"error":null,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1790000000104,"completed":null}}');
INSERT INTO Message VALUES('local','msg_01a20312a286000CxQ5osfugE9','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',14,'user',0,0,'{"id":"msg_01a20312a286000CxQ5osfugE9","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"user","time":{"created":1000}}');
INSERT INTO Message VALUES('local','msg_01a20312a286000DmD7Q8VPiF7','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',15,'assistant',0,0,'{"id":"msg_01a20312a286000DmD7Q8VPiF7","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","agent":"build","model":{"providerID":"test","modelID":"model"},"role":"assistant","parentID":"msg_01a20312a286000EU9m9lzP0SJ","finish":"stop","error":null,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1000,"completed":2000}}');
CREATE TABLE IF NOT EXISTS "Part" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "messageID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "toolStatus" TEXT,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Part_tenantID_messageID_fkey" FOREIGN KEY ("tenantID", "messageID") REFERENCES "Message" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Part VALUES('local','prt_01a20312a286000HRL1oWJpOHJ','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860000B4tdXITchE',16,'text',NULL,'{"id":"prt_01a20312a286000HRL1oWJpOHJ","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860000B4tdXITchE","type":"text","text":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000IpdU9Abcdvf','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860000B4tdXITchE',17,'file',NULL,'{"id":"prt_01a20312a286000IpdU9Abcdvf","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860000B4tdXITchE","type":"file","mime":"text/plain","url":"file:///home/ada/a.txt","filename":"a.txt"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000JM2ECje3HmO','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860000B4tdXITchE',18,'agent',NULL,'{"id":"prt_01a20312a286000JM2ECje3HmO","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860000B4tdXITchE","type":"agent","name":"explore"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000KwHgAYzk7kc','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860001Vj2as4vEZj',19,'step-start',NULL,'{"id":"prt_01a20312a286000KwHgAYzk7kc","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"step-start","snapshot":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000L5dioGR2gnG','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860001Vj2as4vEZj',20,'reasoning',NULL,'{"id":"prt_01a20312a286000L5dioGR2gnG","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"reasoning","text":"thinking","time":{"start":1790000000001,"end":1790000000002},"providerMetadata":{"anthropic":{"signature":"x"}}}');
INSERT INTO Part VALUES('local','prt_01a20312a286000MSEGbXjMSFa','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860001Vj2as4vEZj',21,'tool','completed','{"id":"prt_01a20312a286000MSEGbXjMSFa","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"tool","callID":"call","tool":"bash","state":{"status":"completed","input":{"filePath":"a.txt"},"output":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","title":"a.txt","metadata":{"diff":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"time":{"start":1790000000001,"end":1790000000002}}}');
INSERT INTO Part VALUES('local','prt_01a20312a286000NcTGA6qxIhg','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860001Vj2as4vEZj',22,'tool','error','{"id":"prt_01a20312a286000NcTGA6qxIhg","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"tool","callID":"call","tool":"bash","state":{"status":"error","input":"no json","error":"bad input","metadata":{},"time":{"start":1790000000001,"end":1790000000002}}}');
INSERT INTO Part VALUES('local','prt_01a20312a286000OGEkJ7fBc18','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860001Vj2as4vEZj',23,'step-finish',NULL,'{"id":"prt_01a20312a286000OGEkJ7fBc18","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"step-finish","reason":"tool-calls","tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"cost":0.01,"snapshot":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000P0JXbDIoq6U','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860001Vj2as4vEZj',24,'patch',NULL,'{"id":"prt_01a20312a286000P0JXbDIoq6U","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860001Vj2as4vEZj","type":"patch","hash":"4b825dc642cb6eb9a060e54bf8d69288fbee4904","files":["a.txt"]}');
INSERT INTO Part VALUES('local','prt_01a20312a286000Qh3qlRAr5dS','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860002dM4H9c744r',25,'compaction',NULL,'{"id":"prt_01a20312a286000Qh3qlRAr5dS","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860002dM4H9c744r","type":"compaction","auto":true}');
INSERT INTO Part VALUES('local','prt_01a20312a286000R2bOYrkAsmI','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860003EWTLlD37g0',26,'text',NULL,'{"id":"prt_01a20312a286000R2bOYrkAsmI","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860003EWTLlD37g0","type":"text","text":"summary"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000Sm0SWWxsQar','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a28600044WOqD7V3UO',27,'subtask',NULL,'{"id":"prt_01a20312a286000Sm0SWWxsQar","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a28600044WOqD7V3UO","type":"subtask","prompt":"look","description":"look","agent":"explore"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000TevMTl2afdP','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860006tXRyVPYFiC',28,'retry',NULL,'{"id":"prt_01a20312a286000TevMTl2afdP","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a2860006tXRyVPYFiC","type":"retry","attempt":1,"error":{"name":"APIError","message":"overloaded","statusCode":529,"retryable":true},"time":{"created":1790000000003}}');
INSERT INTO Part VALUES('local','prt_01a20312a286000UV99Qx8LA6k','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a286000AAuuNRqhWWx',29,'tool','running','{"id":"prt_01a20312a286000UV99Qx8LA6k","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a286000AAuuNRqhWWx","type":"tool","callID":"call","tool":"bash","state":{"status":"running","input":{"command":"ls"},"title":"ls","metadata":{"output":"a.txt"},"time":{"start":1790000000009}}}');
INSERT INTO Part VALUES('local','prt_01a20312a286000VLOMtnaG9rY','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a286000AAuuNRqhWWx',30,'tool','pending','{"id":"prt_01a20312a286000VLOMtnaG9rY","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":"msg_01a20312a286000AAuuNRqhWWx","type":"tool","callID":"call","tool":"bash","state":{"status":"pending","input":{},"raw":"{\"comm"}}');
INSERT INTO Part VALUES('local','prt_01a20312a286000WWp0JiRP0FU','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP','msg_01a20312a286000CxQ5osfugE9',31,'text',NULL,'{"id":"prt_01a20312a286000WWp0JiRP0FU","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":"msg_01a20312a286000CxQ5osfugE9","type":"text","text":"look around"}');
INSERT INTO Part VALUES('local','prt_01a20312a286000X6C1g3wgZx7','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP','msg_01a20312a286000DmD7Q8VPiF7',32,'text',NULL,'{"id":"prt_01a20312a286000X6C1g3wgZx7","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":"msg_01a20312a286000DmD7Q8VPiF7","type":"text","text":"done"}');
CREATE TABLE IF NOT EXISTS "Turn" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Turn_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Turn VALUES('local','trn_01a20312a286000hvdpZydSvnq','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',54,'running',1,1790000000000.0,'{"id":"trn_01a20312a286000hvdpZydSvnq","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","status":"running","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":null,"attempt":1,"epoch":1,"error":null,"time":{"created":1790000000000,"started":1790000000077,"ended":null}}');
INSERT INTO Turn VALUES('local','trn_01a20312a286000inTA0353aY9','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',37,'running',1,1790000000001.0,'{"id":"trn_01a20312a286000inTA0353aY9","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","status":"running","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":null,"attempt":1,"epoch":1,"error":null,"time":{"created":1790000000001,"started":null,"ended":null}}');
INSERT INTO Turn VALUES('local','trn_01a20312a286000jUxGi9DyvkI','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',38,'completed',2,1790000000002.0,'{"id":"trn_01a20312a286000jUxGi9DyvkI","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","status":"completed","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":2,"epoch":2,"error":null,"time":{"created":1790000000002,"started":null,"ended":null}}');
INSERT INTO Turn VALUES('local','trn_01a20312a286000kqMRQX9oB8x','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',39,'failed',3,1790000000003.0,'{"id":"trn_01a20312a286000kqMRQX9oB8x","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","status":"failed","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":0,"epoch":3,"error":{"name":"APIError","message":"no","statusCode":500,"retryable":false},"time":{"created":1790000000003,"started":null,"ended":null}}');
INSERT INTO Turn VALUES('local','trn_01a20312a286000lJHq17D5YB7','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',40,'aborted',4,1790000000004.0,'{"id":"trn_01a20312a286000lJHq17D5YB7","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","status":"aborted","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":1,"epoch":4,"error":null,"time":{"created":1790000000004,"started":null,"ended":null}}');
INSERT INTO Turn VALUES('local','trn_01a20312a286000mOjjbYrszEb','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',41,'interrupted',5,1790000000005.0,'{"id":"trn_01a20312a286000mOjjbYrszEb","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","status":"interrupted","input":{"parts":[{"type":"text","text":"hello"}]},"messageID":"msg_01a20312a2860000B4tdXITchE","attempt":2,"epoch":5,"error":null,"time":{"created":1790000000005,"started":null,"ended":null}}');
CREATE TABLE IF NOT EXISTS "PermissionRequest" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "PermissionRequest_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO PermissionRequest VALUES('local','per_01a20312a286000n00o5vF4YfI','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',46,'pending',1790000000000.0,'{"id":"per_01a20312a286000n00o5vF4YfI","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"pending","message":null,"time":{"created":1790000000000,"replied":null}}');
INSERT INTO PermissionRequest VALUES('local','per_01a20312a286000oHgteCEoCBO','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',47,'once',1790000000001.0,'{"id":"per_01a20312a286000oHgteCEoCBO","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"once","message":null,"time":{"created":1790000000001,"replied":1790000000050}}');
INSERT INTO PermissionRequest VALUES('local','per_01a20312a286000pp6vtq0ZLgf','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',48,'always',1790000000002.0,'{"id":"per_01a20312a286000pp6vtq0ZLgf","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"always","message":null,"time":{"created":1790000000002,"replied":1790000000050}}');
INSERT INTO PermissionRequest VALUES('local','per_01a20312a286000qU0kAbLaTeF','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh',49,'rejected',1790000000003.0,'{"id":"per_01a20312a286000qU0kAbLaTeF","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"rejected","message":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","time":{"created":1790000000003,"replied":1790000000050}}');
INSERT INTO PermissionRequest VALUES('local','per_01a20312a286000r1TQC4lyWr2','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',50,'expired',1790000000004.0,'{"id":"per_01a20312a286000r1TQC4lyWr2","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"callID":"call","permission":"bash","patterns":["ls"],"always":["ls *"],"metadata":{"title":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"status":"expired","message":null,"time":{"created":1790000000004,"replied":1790000000050}}');
CREATE TABLE IF NOT EXISTS "PermissionGrant" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "createdAt" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "PermissionGrant_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO PermissionGrant VALUES('local','per_01a20312a287000Jc8bOjsyh8L','ses_fe5dfced5d7azzzxd5haEmYhWh',1790000000001.0,'{"id":"per_01a20312a287000Jc8bOjsyh8L","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","permission":"bash","pattern":"npm *","createdAt":1790000000001}');
INSERT INTO PermissionGrant VALUES('local','per_01a20312a287000KueSVcJmDL3','ses_fe5dfced5d7azzzxd5haEmYhWh',1790000000002.0,'{"id":"per_01a20312a287000KueSVcJmDL3","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","permission":"edit","pattern":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","createdAt":1790000000002}');
CREATE TABLE IF NOT EXISTS "Share" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Share_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Share VALUES('local','shr_01a20312a287000HcoQW5HADax','ses_fe5dfced5d7azzzxd5haEmYhWh','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',1000.0,'{"id":"shr_01a20312a287000HcoQW5HADax","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","secretHash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","time":{"created":1000,"revoked":null}}');
INSERT INTO Share VALUES('local','shr_01a20312a287000I34fmS6dNGX','ses_fe5dfced5d7azzzxd5haEmYhWh','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',1790000000003.0,'{"id":"shr_01a20312a287000I34fmS6dNGX","rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","secretHash":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","time":{"created":1790000000003,"revoked":1790000000004}}');
CREATE TABLE IF NOT EXISTS "Removal" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "messageID" TEXT,
    "seq" INTEGER NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);
INSERT INTO Removal VALUES('local','prt_01a20312a286000GKrP93XMqHv','ses_fe5dfced5d7azzzxd5haEmYhWh','part.remove','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a2860000B4tdXITchE',51);
INSERT INTO Removal VALUES('local','msg_01a20312a286000FRRITKGlJEU','ses_fe5dfced5d7azzzxd5haEmYhWh','message.remove','ses_fe5dfced5d7azzzxd5haEmYhWh','msg_01a20312a286000FRRITKGlJEU',52);
INSERT INTO Removal VALUES('local','ses_fe5dfced5d7azzzpa6AiMLRLP2','ses_fe5dfced5d7azzzxd5haEmYhWh','session.remove','ses_fe5dfced5d7azzzpa6AiMLRLP2',NULL,53);
INSERT INTO Removal VALUES('local','ses_fe5dfced5d7azzzjesbOUv2vv1','ses_fe5dfced5d7azzzjesbOUv2vv1','session.remove','ses_fe5dfced5d7azzzjesbOUv2vv1',NULL,2);
CREATE TABLE IF NOT EXISTS "Counter" (
    "tenantID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    PRIMARY KEY ("tenantID", "name")
);
INSERT INTO Counter VALUES('local','todo',8);
INSERT INTO Counter VALUES('local','memory',4);
INSERT INTO Counter VALUES('local','schedule',2);
INSERT INTO Counter VALUES('acme','todo',3);
CREATE TABLE IF NOT EXISTS "TodoChange" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "todoID" TEXT NOT NULL,
    "sessionID" TEXT,
    "at" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "TodoChange_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO TodoChange VALUES('local','tdc_01a20312a286000sPvEqFLfRyl','tod_01a20312a286000YeeEwvxrHmE','ses_fe5dfced5d7azzzxd5haEmYhWh',1790000000000.0,'{"id":"tdc_01a20312a286000sPvEqFLfRyl","todoID":"tod_01a20312a286000YeeEwvxrHmE","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000000,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000YeeEwvxrHmE","number":1,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","description":"","status":"completed","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000002,"completed":1790000000002}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a286000t97gyfC2Ge9','tod_01a20312a286000ZEBYmSHjSSR','ses_fe5dfced5d7azzzxd5haEmYhWh',1790000000001.0,'{"id":"tdc_01a20312a286000t97gyfC2Ge9","todoID":"tod_01a20312a286000ZEBYmSHjSSR","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000001,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000ZEBYmSHjSSR","number":2,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 1","description":"","status":"in_progress","priority":"high","position":1,"agent":null,"dependsOn":[],"owner":{"agent":"explore","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","taskID":null},"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a286000u8wTmSoXT5d','tod_01a20312a286000a89tDubdd0d','ses_fe5dfced5d7azzzxd5haEmYhWh',1790000000002.0,'{"id":"tdc_01a20312a286000u8wTmSoXT5d","todoID":"tod_01a20312a286000a89tDubdd0d","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000002,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000a89tDubdd0d","number":3,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 2","description":"","status":"cancelled","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a286000vbH5MN7hH2G','tod_01a20312a286000batw8cW52tG','ses_fe5dfced5d7azzzxd5haEmYhWh',1790000000003.0,'{"id":"tdc_01a20312a286000vbH5MN7hH2G","todoID":"tod_01a20312a286000batw8cW52tG","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","at":1790000000003,"actor":{"kind":"agent","name":"build"},"messageID":"msg_01a20312a2860001Vj2as4vEZj","partID":null,"before":null,"after":{"id":"tod_01a20312a286000batw8cW52tG","number":4,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 3","description":"","status":"pending","priority":"medium","position":3,"agent":null,"dependsOn":["tod_01a20312a286000ZEBYmSHjSSR"],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a286000w8kenf39qBv','tod_01a20312a286000cPkO6EDGW8Y','ses_fe5dfced5d7azzzuTiaRhsdfXP',1000.0,'{"id":"tdc_01a20312a286000w8kenf39qBv","todoID":"tod_01a20312a286000cPkO6EDGW8Y","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","at":1000,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a286000cPkO6EDGW8Y","number":5,"sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","content":"item 0","description":"","status":"pending","priority":"medium","position":0,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a2880004gO5svtxvXN','tod_01a20312a28700023vwNSEsWDt',NULL,1790000000050.0,'{"id":"tdc_01a20312a2880004gO5svtxvXN","todoID":"tod_01a20312a28700023vwNSEsWDt","sessionID":null,"at":1790000000050,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a28700023vwNSEsWDt","number":6,"sessionID":null,"content":"for everyone","description":"","status":"pending","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a2880005RXAjWN0BfD','tod_01a20312a2870005uEVfSa3oVC',NULL,1790000000051.0,'{"id":"tdc_01a20312a2880005RXAjWN0BfD","todoID":"tod_01a20312a2870005uEVfSa3oVC","sessionID":null,"at":1790000000051,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a2870005uEVfSa3oVC","number":7,"sessionID":null,"content":"item 1","description":"","status":"completed","priority":"medium","position":1,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000009,"completed":1790000000009}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a2880006AtPDnETxSy','tod_01a20312a28700089rmV7BDwkg',NULL,1790000000060.0,'{"id":"tdc_01a20312a2880006AtPDnETxSy","todoID":"tod_01a20312a28700089rmV7BDwkg","sessionID":null,"at":1790000000060,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":null,"after":{"id":"tod_01a20312a28700089rmV7BDwkg","number":8,"sessionID":null,"content":"item 2","description":"","status":"pending","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}}');
INSERT INTO TodoChange VALUES('local','tdc_01a20312a2880007mfZQutwrz5','tod_01a20312a28700089rmV7BDwkg',NULL,1790000000061.0,'{"id":"tdc_01a20312a2880007mfZQutwrz5","todoID":"tod_01a20312a28700089rmV7BDwkg","sessionID":null,"at":1790000000061,"actor":{"kind":"user","name":"me"},"messageID":null,"partID":null,"before":{"id":"tod_01a20312a28700089rmV7BDwkg","number":8,"sessionID":null,"content":"item 2","description":"","status":"pending","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}},"after":null}');
CREATE TABLE IF NOT EXISTS "Task" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "parentID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "worktree" TEXT,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Task_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Task VALUES('local','tsk_01a20312a286000da5bfesF20D','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',42,1,'untold','ready',1790000000001.0,'{"id":"tsk_01a20312a286000da5bfesF20D","number":1,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"background","state":"completed","result":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","resultPath":null,"outputSchema":{"type":"object"},"output":{"odd":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"},"error":null,"usage":{"tokens":{"input":500,"output":100,"reasoning":7,"cache":{"read":20,"write":3}},"cost":0.5,"toolCalls":2},"limits":{"tokens":null,"cost":null,"wallClock":null,"toolCalls":null},"deadline":null,"todoID":null,"worktree":{"directory":"/w","branch":"docket/w","base":"0","state":"ready","conflicts":["a.txt"]},"delivered":"no","time":{"created":1790000000001,"started":1790000000002,"ended":1790000000003}}');
INSERT INTO Task VALUES('local','tsk_01a20312a286000eE1sP7gc8m1','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP',43,2,'running',NULL,1790000000004.0,'{"id":"tsk_01a20312a286000eE1sP7gc8m1","number":2,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzxd5haEmYhWh","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"blocking","state":"running","result":null,"resultPath":null,"outputSchema":null,"output":null,"error":null,"usage":{"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0,"toolCalls":0},"limits":{"tokens":5,"cost":1,"wallClock":7,"toolCalls":8},"deadline":1790000000099,"todoID":null,"worktree":null,"delivered":"no","time":{"created":1790000000004,"started":1790000000005,"ended":null}}');
INSERT INTO Task VALUES('local','tsk_01a20312a286000fJzCv8K4T9e','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP','ses_fe5dfced5d7azzzrk4NQll6iVU',44,3,'failed','merged',1790000000004.0,'{"id":"tsk_01a20312a286000fJzCv8K4T9e","number":3,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","sessionID":"ses_fe5dfced5d7azzzrk4NQll6iVU","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"blocking","state":"failed","result":null,"resultPath":null,"outputSchema":null,"output":null,"error":{"type":"limit_reached","message":"too much"},"usage":{"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0,"toolCalls":0},"limits":{"tokens":null,"cost":null,"wallClock":null,"toolCalls":null},"deadline":null,"todoID":null,"worktree":{"directory":"/w","branch":"docket/w","base":"0","state":"merged","conflicts":["a.txt"]},"delivered":"poll","time":{"created":1790000000004,"started":null,"ended":1790000000008}}');
INSERT INTO Task VALUES('local','tsk_01a20312a286000gOJdVQT0mip','ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzuTiaRhsdfXP','ses_fe5dfced5d7azzzrk4NQll6iVU',45,4,'queued',NULL,1790000000006.0,'{"id":"tsk_01a20312a286000gOJdVQT0mip","number":4,"rootID":"ses_fe5dfced5d7azzzxd5haEmYhWh","parentID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","sessionID":"ses_fe5dfced5d7azzzrk4NQll6iVU","messageID":null,"partID":null,"callID":null,"turnID":null,"agent":"general","description":"look around","prompt":"Look around and say what you see.","model":{"providerID":"test","modelID":"model"},"mode":"blocking","state":"queued","result":null,"resultPath":null,"outputSchema":null,"output":null,"error":null,"usage":{"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"cost":0,"toolCalls":0},"limits":{"tokens":null,"cost":null,"wallClock":null,"toolCalls":null},"deadline":null,"todoID":"tod_01a20312a286000ZEBYmSHjSSR","worktree":null,"delivered":"no","time":{"created":1790000000006,"started":null,"ended":null}}');
CREATE TABLE IF NOT EXISTS "Memory" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "projectID" TEXT,
    "sessionID" TEXT,
    "type" TEXT NOT NULL,
    "tags" TEXT NOT NULL,
    "invalidated" BOOLEAN NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Memory_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Memory VALUES('local','mem_01a20312a2870009PotRZGlnXv',1,NULL,NULL,'project',' api  %C3%BCber%20alles  100%25_ ',0,1000.0,'{"id":"mem_01a20312a2870009PotRZGlnXv","number":1,"projectID":null,"sessionID":null,"type":"project","title":"entry 1","content":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","source":"","tags":["api","über alles","100%_"],"agent":null,"invalidatedAt":null,"time":{"created":1000,"updated":1000}}');
INSERT INTO Memory VALUES('local','mem_01a20312a287000ABHyQUOx8C8',2,'prj_01a20312a2850000nBzFkllO8U',NULL,'user',' api ',0,1790000000001.0,'{"id":"mem_01a20312a287000ABHyQUOx8C8","number":2,"projectID":"prj_01a20312a2850000nBzFkllO8U","sessionID":null,"type":"user","title":"entry 2","content":"what is known","source":"","tags":["api"],"agent":"build","invalidatedAt":null,"time":{"created":1790000000001,"updated":1790000000002}}');
INSERT INTO Memory VALUES('local','mem_01a20312a287000ByICCjnLGjW',3,'prj_01a20312a2850000nBzFkllO8U','ses_fe5dfced5d7azzzxd5haEmYhWh','learning',' a%20b ',0,1790000000003.0,'{"id":"mem_01a20312a287000ByICCjnLGjW","number":3,"projectID":"prj_01a20312a2850000nBzFkllO8U","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","type":"learning","title":"entry 3","content":"what is known","source":"session","tags":["a b"],"agent":null,"invalidatedAt":null,"time":{"created":1790000000003,"updated":1790000000003}}');
INSERT INTO Memory VALUES('local','mem_01a20312a287000CanjtOBnH07',4,NULL,NULL,'project',' apis ',1,1000.0,'{"id":"mem_01a20312a287000CanjtOBnH07","number":4,"projectID":null,"sessionID":null,"type":"project","title":"entry 4","content":"what is known","source":"","tags":["apis"],"agent":null,"invalidatedAt":1790000000009,"time":{"created":1000,"updated":1000}}');
CREATE TABLE IF NOT EXISTS "Schedule" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "projectID" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "nextFireAt" REAL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);
INSERT INTO Schedule VALUES('local','sch_01a20312a287000DNWBIayxp3n',1,'prj_01a20312a2850000nBzFkllO8U','active',5000.0,1790000000001.0,'{"id":"sch_01a20312a287000DNWBIayxp3n","number":1,"projectID":"prj_01a20312a2850000nBzFkllO8U","sessionID":null,"phrase":"every hour","kind":"recurring","cron":"0 * * * *","interval":null,"message":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","agent":null,"model":{"providerID":"test","modelID":"model"},"status":"active","missed":"once","nextFireAt":5000,"lastRunAt":null,"runCount":0,"time":{"created":1790000000001,"updated":1790000000001}}');
INSERT INTO Schedule VALUES('local','sch_01a20312a287000FIebm1VojGF',2,'prj_01a20312a2850001TiarO5Qfhw','completed',NULL,1790000000002.0,'{"id":"sch_01a20312a287000FIebm1VojGF","number":2,"projectID":"prj_01a20312a2850001TiarO5Qfhw","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","phrase":"every hour","kind":"one-shot","cron":null,"interval":null,"message":"look again","agent":null,"model":null,"status":"completed","missed":"once","nextFireAt":null,"lastRunAt":1790000000009,"runCount":1,"time":{"created":1790000000002,"updated":1790000000002}}');
CREATE TABLE IF NOT EXISTS "ScheduleRun" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "scheduleID" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "startedAt" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ScheduleRun_tenantID_scheduleID_fkey" FOREIGN KEY ("tenantID", "scheduleID") REFERENCES "Schedule" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO ScheduleRun VALUES('local','run_01a20312a2880001slOS7looY4','sch_01a20312a287000DNWBIayxp3n','failed',1790000000001.0,'{"id":"run_01a20312a2880001slOS7looY4","scheduleID":"sch_01a20312a287000DNWBIayxp3n","status":"failed","sessionID":null,"turnID":null,"dueAt":1000,"startedAt":1790000000001,"completedAt":1790000000002,"summary":"","error":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_"}');
INSERT INTO ScheduleRun VALUES('local','run_01a20312a2880002b811vXIBlC','sch_01a20312a287000FIebm1VojGF','succeeded',1790000000003.0,'{"id":"run_01a20312a2880002b811vXIBlC","scheduleID":"sch_01a20312a287000FIebm1VojGF","status":"succeeded","sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","turnID":null,"dueAt":1000,"startedAt":1790000000003,"completedAt":1790000000004,"summary":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","error":null}');
INSERT INTO ScheduleRun VALUES('local','run_01a20312a2880003Bsy0Nyhyqh','sch_01a20312a287000DNWBIayxp3n','running',1790000000005.0,'{"id":"run_01a20312a2880003Bsy0Nyhyqh","scheduleID":"sch_01a20312a287000DNWBIayxp3n","status":"running","sessionID":null,"turnID":null,"dueAt":1000,"startedAt":1790000000005,"completedAt":null,"summary":"","error":null}');
CREATE TABLE IF NOT EXISTS "ApiToken" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);
INSERT INTO ApiToken VALUES('local','tok_01a20312a287000L6QBwaCczIv','7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',1790000000001.0,'{"id":"tok_01a20312a287000L6QBwaCczIv","tenantID":"local","name":"ci","tokenHash":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed","time":{"created":1790000000001,"used":1790000000008,"revoked":null}}');
INSERT INTO ApiToken VALUES('acme','tok_01a20312a2880000IHb35YYEs6','3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3',1790000000002.0,'{"id":"tok_01a20312a2880000IHb35YYEs6","tenantID":"acme","name":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","tokenHash":"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3","time":{"created":1790000000002,"used":null,"revoked":1790000000003}}');
CREATE TABLE IF NOT EXISTS "Todo" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sessionID" TEXT,
    "rootID" TEXT,
    "status" TEXT NOT NULL,
    "rank" INTEGER NOT NULL DEFAULT 1,
    "position" INTEGER NOT NULL,
    "agent" TEXT,
    "updated" REAL NOT NULL DEFAULT 0,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Todo_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO Todo VALUES('local','tod_01a20312a286000YeeEwvxrHmE',1,'ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','completed',2,0,'build',1790000000002.0,'{"id":"tod_01a20312a286000YeeEwvxrHmE","number":1,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","description":"","status":"completed","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000002,"completed":1790000000002}}');
INSERT INTO Todo VALUES('local','tod_01a20312a286000ZEBYmSHjSSR',2,'ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','in_progress',0,1,NULL,1000.0,'{"id":"tod_01a20312a286000ZEBYmSHjSSR","number":2,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 1","description":"","status":"in_progress","priority":"high","position":1,"agent":null,"dependsOn":[],"owner":{"agent":"explore","sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","taskID":null},"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}');
INSERT INTO Todo VALUES('local','tod_01a20312a286000a89tDubdd0d',3,'ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','cancelled',3,2,NULL,1000.0,'{"id":"tod_01a20312a286000a89tDubdd0d","number":3,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 2","description":"","status":"cancelled","priority":"medium","position":2,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}');
INSERT INTO Todo VALUES('local','tod_01a20312a286000batw8cW52tG',4,'ses_fe5dfced5d7azzzxd5haEmYhWh','ses_fe5dfced5d7azzzxd5haEmYhWh','pending',1,3,NULL,1000.0,'{"id":"tod_01a20312a286000batw8cW52tG","number":4,"sessionID":"ses_fe5dfced5d7azzzxd5haEmYhWh","content":"item 3","description":"","status":"pending","priority":"medium","position":3,"agent":null,"dependsOn":["tod_01a20312a286000ZEBYmSHjSSR"],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}');
INSERT INTO Todo VALUES('local','tod_01a20312a286000cPkO6EDGW8Y',5,'ses_fe5dfced5d7azzzuTiaRhsdfXP','ses_fe5dfced5d7azzzxd5haEmYhWh','pending',1,0,NULL,1000.0,'{"id":"tod_01a20312a286000cPkO6EDGW8Y","number":5,"sessionID":"ses_fe5dfced5d7azzzuTiaRhsdfXP","content":"item 0","description":"","status":"pending","priority":"medium","position":0,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}');
INSERT INTO Todo VALUES('local','tod_01a20312a28700023vwNSEsWDt',6,NULL,NULL,'pending',1,0,'build',1000.0,'{"id":"tod_01a20312a28700023vwNSEsWDt","number":6,"sessionID":null,"content":"for everyone","description":"","status":"pending","priority":"medium","position":0,"agent":"build","dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}');
INSERT INTO Todo VALUES('local','tod_01a20312a2870005uEVfSa3oVC',7,NULL,NULL,'completed',2,1,NULL,1790000000009.0,'{"id":"tod_01a20312a2870005uEVfSa3oVC","number":7,"sessionID":null,"content":"item 1","description":"","status":"completed","priority":"medium","position":1,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1790000000001,"updated":1790000000009,"completed":1790000000009}}');
INSERT INTO Todo VALUES('acme','tod_01a20312a288000BganKvUNjj9',1,'ses_fe5dfced5d77zzzqTnVfVHsNgN','ses_fe5dfced5d77zzzqTnVfVHsNgN','pending',1,0,NULL,1000.0,'{"id":"tod_01a20312a288000BganKvUNjj9","number":1,"sessionID":"ses_fe5dfced5d77zzzqTnVfVHsNgN","content":"item 0","description":"","status":"pending","priority":"medium","position":0,"agent":null,"dependsOn":[],"owner":null,"proposed":null,"time":{"created":1000,"updated":1000,"completed":null}}');
CREATE TABLE IF NOT EXISTS "ConfigTrust" (
    "tenantID" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "directory" TEXT NOT NULL,
    "trusted" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "hash")
);
INSERT INTO ConfigTrust VALUES('local','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc','/home/ada/greeter',1000.0,'{"directory":"/home/ada/greeter","hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","time":{"trusted":1000}}');
INSERT INTO ConfigTrust VALUES('local','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','/home/ada/nul , half a pair �, whole 😀, quote '' " \ %_',1790000000005.0,'{"directory":"/home/ada/nul \u0000, half a pair \ud83d, whole 😀, quote '' \" \\ %_","hash":"dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","time":{"trusted":1790000000005}}');
CREATE INDEX "Project_tenantID_opened_idx" ON "Project"("tenantID", "opened");
CREATE UNIQUE INDEX "Project_tenantID_directory_key" ON "Project"("tenantID", "directory");
CREATE INDEX "Session_tenantID_rootID_seq_idx" ON "Session"("tenantID", "rootID", "seq");
CREATE INDEX "Session_tenantID_rootID_todoSeq_idx" ON "Session"("tenantID", "rootID", "todoSeq");
CREATE INDEX "Session_tenantID_parentID_originCallID_idx" ON "Session"("tenantID", "parentID", "originCallID");
CREATE INDEX "Session_tenantID_depth_updated_idx" ON "Session"("tenantID", "depth", "updated");
CREATE INDEX "Message_tenantID_sessionID_id_idx" ON "Message"("tenantID", "sessionID", "id");
CREATE INDEX "Message_tenantID_rootID_seq_idx" ON "Message"("tenantID", "rootID", "seq");
CREATE INDEX "Part_tenantID_messageID_id_idx" ON "Part"("tenantID", "messageID", "id");
CREATE INDEX "Part_tenantID_rootID_seq_idx" ON "Part"("tenantID", "rootID", "seq");
CREATE INDEX "Part_tenantID_sessionID_toolStatus_idx" ON "Part"("tenantID", "sessionID", "toolStatus");
CREATE INDEX "Turn_tenantID_rootID_seq_idx" ON "Turn"("tenantID", "rootID", "seq");
CREATE INDEX "Turn_tenantID_sessionID_idx" ON "Turn"("tenantID", "sessionID");
CREATE INDEX "Turn_tenantID_status_created_idx" ON "Turn"("tenantID", "status", "created");
CREATE INDEX "PermissionRequest_tenantID_rootID_seq_idx" ON "PermissionRequest"("tenantID", "rootID", "seq");
CREATE INDEX "PermissionRequest_tenantID_sessionID_idx" ON "PermissionRequest"("tenantID", "sessionID");
CREATE INDEX "PermissionRequest_tenantID_status_created_idx" ON "PermissionRequest"("tenantID", "status", "created");
CREATE INDEX "PermissionGrant_tenantID_rootID_createdAt_idx" ON "PermissionGrant"("tenantID", "rootID", "createdAt");
CREATE INDEX "Share_tenantID_rootID_created_idx" ON "Share"("tenantID", "rootID", "created");
CREATE UNIQUE INDEX "Share_tenantID_secretHash_key" ON "Share"("tenantID", "secretHash");
CREATE INDEX "Removal_tenantID_rootID_seq_idx" ON "Removal"("tenantID", "rootID", "seq");
CREATE INDEX "Todo_tenantID_sessionID_position_idx" ON "Todo"("tenantID", "sessionID", "position");
CREATE INDEX "Todo_tenantID_sessionID_rank_position_updated_id_idx" ON "Todo"("tenantID", "sessionID", "rank", "position", "updated" DESC, "id");
CREATE INDEX "Todo_tenantID_rank_position_updated_id_idx" ON "Todo"("tenantID", "rank", "position", "updated" DESC, "id");
CREATE INDEX "Todo_tenantID_rootID_idx" ON "Todo"("tenantID", "rootID");
CREATE INDEX "Todo_tenantID_number_idx" ON "Todo"("tenantID", "number");
CREATE INDEX "TodoChange_tenantID_todoID_at_idx" ON "TodoChange"("tenantID", "todoID", "at");
CREATE INDEX "TodoChange_tenantID_sessionID_at_idx" ON "TodoChange"("tenantID", "sessionID", "at");
CREATE INDEX "Task_tenantID_rootID_seq_idx" ON "Task"("tenantID", "rootID", "seq");
CREATE INDEX "Task_tenantID_rootID_number_idx" ON "Task"("tenantID", "rootID", "number");
CREATE INDEX "Task_tenantID_sessionID_number_idx" ON "Task"("tenantID", "sessionID", "number");
CREATE INDEX "Task_tenantID_state_created_idx" ON "Task"("tenantID", "state", "created");
CREATE INDEX "Task_tenantID_worktree_idx" ON "Task"("tenantID", "worktree");
CREATE INDEX "Memory_tenantID_number_idx" ON "Memory"("tenantID", "number");
CREATE INDEX "Memory_tenantID_sessionID_idx" ON "Memory"("tenantID", "sessionID");
CREATE INDEX "Memory_tenantID_created_idx" ON "Memory"("tenantID", "created");
CREATE INDEX "Schedule_tenantID_number_idx" ON "Schedule"("tenantID", "number");
CREATE INDEX "Schedule_tenantID_created_idx" ON "Schedule"("tenantID", "created");
CREATE INDEX "Schedule_tenantID_status_nextFireAt_idx" ON "Schedule"("tenantID", "status", "nextFireAt");
CREATE INDEX "ScheduleRun_tenantID_scheduleID_startedAt_idx" ON "ScheduleRun"("tenantID", "scheduleID", "startedAt");
CREATE INDEX "ScheduleRun_tenantID_status_startedAt_idx" ON "ScheduleRun"("tenantID", "status", "startedAt");
CREATE INDEX "ScheduleRun_tenantID_startedAt_idx" ON "ScheduleRun"("tenantID", "startedAt");
CREATE UNIQUE INDEX "ApiToken_tokenHash_key" ON "ApiToken"("tokenHash");
CREATE INDEX "ApiToken_tenantID_created_idx" ON "ApiToken"("tenantID", "created");
CREATE UNIQUE INDEX "ApiToken_id_key" ON "ApiToken"("id");
CREATE INDEX "ConfigTrust_tenantID_directory_trusted_idx" ON "ConfigTrust"("tenantID", "directory", "trusted");
COMMIT;
