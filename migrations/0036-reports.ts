import { type Kysely, sql } from 'kysely'
import type { Migration } from '../src/server/kernel/database/migrate.ts'

/** Reports of every kind, what they keep, and what root admins decide about them; earlier reports move here. */
export const migration: Migration = {
  oldestCode: 1,
  up: (db: Kysely<unknown>) => [...createTables(db), ...moveDirectMessageReports(db), ...movePostReports(db)],
}

function createTables(db: Kysely<unknown>) {
  return [
    // text: to the reported user. effects: JSON, for undoing: ids of the ban, the mute or the warning, and removed reports.
    sql`create table reportDecision (
      id integer primary key,
      userId integer not null references user (id),
      decision text not null,
      duration text,
      banReason text,
      text text not null,
      reportIds text not null,
      effects text not null,
      decidedById integer not null references user (id),
      at integer not null,
      undoneAt integer,
      undoneById integer references user (id)
    ) strict`.compile(db),
    sql`create trigger reportDecisionKept before delete on reportDecision
      begin select raise(abort, 'a decision is kept'); end`.compile(db),
    sql`create trigger reportDecisionUnchanged before update on reportDecision
      when old.undoneAt is not null or new.id is not old.id or new.userId is not old.userId or new.decision is not old.decision
        or new.duration is not old.duration or new.banReason is not old.banReason or new.text is not old.text
        or new.reportIds is not old.reportIds or new.effects is not old.effects
        or new.decidedById is not old.decidedById or new.at is not old.at
      begin select raise(abort, 'a decision can only be undone'); end`.compile(db),
    // key: names the reported thing within its kind. subjectId: of a message or a post. source: reports with the same one
    // count once; null when the content is deleted. isSunk: counts nothing. decisionId: the latest decision.
    sql`create table report (
      id integer primary key,
      kind text not null,
      key text not null,
      reportedId integer not null references user (id),
      reporterId integer not null references user (id),
      reason text not null,
      note text not null,
      subjectId integer,
      roomId integer,
      callId text,
      source text,
      isSunk integer not null check (isSunk in (0, 1)),
      weight integer not null check (weight >= 0),
      createdAt integer not null,
      isOpen integer not null check (isOpen in (0, 1)),
      decisionId integer references reportDecision (id),
      decidedAt integer
    ) strict`.compile(db),
    sql`create unique index reportOpenOnce on report (reporterId, kind, key) where isOpen = 1`.compile(db),
    sql`create index reportByThing on report (reporterId, kind, key)`.compile(db),
    sql`create index reportByReported on report (reportedId, isOpen, kind, id)`.compile(db),
    sql`create index reportByPage on report (reportedId, id)`.compile(db),
    sql`create index reportBySource on report (reportedId, source, weight) where isOpen = 1`.compile(db),
    sql`create index reportByDecidedAt on report (decidedAt) where isOpen = 0 and source is not null`.compile(db),
    // What a report keeps, as JSON; deleted half a year after the decision.
    sql`create table reportContent (
      reportId integer primary key references report (id),
      content text not null
    ) strict`.compile(db),
    // The files of it: names below /uploads/.
    sql`create table reportFile (
      path text not null,
      reportId integer not null references report (id),
      primary key (path, reportId)
    ) strict, without rowid`.compile(db),
    sql`create index reportFileByReport on reportFile (reportId)`.compile(db),
    // The reports of one reported user in the queue.
    sql`create table reportGroup (
      userId integer primary key references user (id),
      openCount integer not null check (openCount >= 0),
      decidedCount integer not null check (decidedCount >= 0),
      weight integer not null check (weight >= 0),
      lastDecidedAt integer,
      assigneeId integer references user (id),
      assignedAt integer
    ) strict`.compile(db),
    sql`create index reportGroupOpen on reportGroup (weight, userId) where openCount > 0`.compile(db),
    sql`create index reportGroupDecided on reportGroup (lastDecidedAt, userId) where decidedCount > 0`.compile(db),
    // How the reports of a user were decided.
    sql`create table reporter (
      userId integer primary key references user (id),
      confirmedCount integer not null check (confirmedCount >= 0),
      falseCount integer not null check (falseCount >= 0)
    ) strict`.compile(db),
  ]
}

/** A path below the site's root, or null. */
const upload = (path: string) => `case when ${path} is null then null else '/uploads/' || ${path} end`

function moveDirectMessageReports(db: Kysely<unknown>) {
  return [
    sql`insert into report (kind, key, reportedId, reporterId, reason, note, subjectId, roomId, callId, source, isSunk,
        weight, createdAt, isOpen, decisionId, decidedAt)
      select 'directMessage', cast(messageId as text), reportedId, reporterId, 'other', '', messageId, null, null,
        'user ' || reporterId, 0, case user.isGuest when 1 then 250 else 500 end, directMessageReport.createdAt, 1, null, null
      from directMessageReport join user on user.id = reporterId order by directMessageReport.id`.compile(db),
    sql`insert into reportContent (reportId, content)
      select report.id, json_object('kind', 'directMessage', 'messageId', report.subjectId, 'messages', json((
        select json_group_array(json_object(
          'id', json_extract(kept.value, '$.id'),
          'senderId', json_extract(kept.value, '$.senderId'),
          'senderUsername', sender.username,
          'senderIsGuest', json(case sender.isGuest when 1 then 'true' else 'false' end),
          'content', json_extract(kept.value, '$.content'),
          'createdAt', json_extract(kept.value, '$.createdAt'),
          'media', case when media.id is null then null else json_object(
            'mediaId', media.id, 'mediaType', media.mediaType,
            'originalPath', ${sql.raw(upload('media.originalPath'))},
            'thumbnailPath', ${sql.raw(upload('media.thumbnailPath'))},
            'width', media.width, 'height', media.height, 'durationMs', media.durationMs, 'blur', media.blur,
            'waveform', case when media.waveform is null then null else json('[' || media.waveform || ']') end
          ) end
        ))
        from json_each(old.messages) as kept
        join user as sender on sender.id = json_extract(kept.value, '$.senderId')
        left join directMedia as media on media.id = json_extract(kept.value, '$.mediaId')
      )))
      from report join directMessageReport as old
        on old.messageId = report.subjectId and old.reporterId = report.reporterId
      where report.kind = 'directMessage'`.compile(db),
    sql`insert into reportFile (path, reportId)
      select distinct substr(json_extract(kept.value, part.at), 10), reportContent.reportId
      from reportContent, json_each(reportContent.content, '$.messages') as kept,
        (select '$.media.originalPath' as at union all select '$.media.thumbnailPath') as part
      where json_extract(kept.value, part.at) is not null`.compile(db),
    // A report keeps its files itself. An upload whose message is gone expires, as any other.
    sql`update directMedia set isReported = 0, expiresAt = coalesce(expiresAt, case
        when exists (select 1 from directMessage where directMessage.mediaId = directMedia.id) then null else createdAt end)
      where isReported = 1`.compile(db),
    sql`drop table directMessageReport`.compile(db),
  ]
}

function movePostReports(db: Kysely<unknown>) {
  return [
    sql`insert into report (kind, key, reportedId, reporterId, reason, note, subjectId, roomId, callId, source, isSunk,
        weight, createdAt, isOpen, decisionId, decidedAt)
      select 'post', cast(postId as text), reportedId, reporterId, 'other', '', postId, null, null,
        'user ' || reporterId, 0, case user.isGuest when 1 then 250 else 500 end, postReport.createdAt, 1, null, null
      from postReport join user on user.id = reporterId order by postReport.id`.compile(db),
    sql`insert into reportContent (reportId, content)
      select report.id, json_object('kind', 'post',
        'owner', json_object('id', owner.id, 'username', owner.username),
        'comments', json_extract(old.content, '$.comments'),
        'post', json_object(
          'id', old.postId, 'userId', old.reportedId,
          'type', json_extract(old.content, '$.post.type'),
          'url', '/uploads/' || json_extract(old.content, '$.post.path'),
          'mediumUrl', ${sql.raw(upload("json_extract(old.content, '$.post.mediumPath')"))},
          'thumbnailUrl', ${sql.raw(upload("json_extract(old.content, '$.post.thumbnailPath')"))},
          'width', json_extract(old.content, '$.post.width'),
          'height', json_extract(old.content, '$.post.height'),
          'durationMs', json_extract(old.content, '$.post.durationMs'),
          'blur', json_extract(old.content, '$.post.blur'),
          'description', json_extract(old.content, '$.post.description'),
          'isArchived', json(case json_extract(old.content, '$.post.isArchived') when 1 then 'true' else 'false' end),
          'createdAt', json_extract(old.content, '$.post.createdAt'),
          'score', json_extract(old.content, '$.post.score'),
          'likeCount', json_extract(old.content, '$.post.likeCount'),
          'commentCount', json_extract(old.content, '$.post.commentCount'),
          'isLiked', json('false'), 'Likes', json('[]'), 'Comments', json('[]')
        ))
      from report join postReport as old on old.postId = report.subjectId and old.reporterId = report.reporterId
        join user as owner on owner.id = old.reportedId
      where report.kind = 'post'`.compile(db),
    sql`insert into reportFile (path, reportId)
      select distinct substr(json_extract(reportContent.content, part.at), 10), reportContent.reportId
      from reportContent join report on report.id = reportContent.reportId,
        (select '$.post.url' as at union all select '$.post.mediumUrl' union all select '$.post.thumbnailUrl') as part
      where report.kind = 'post' and json_extract(reportContent.content, part.at) is not null`.compile(db),
    // The row of a deleted post goes, as any other: its reports keep what they need.
    sql`update post set isPurging = 1 where isReported = 1 and deletedAt is not null`.compile(db),
    sql`update post set isReported = 0 where isReported = 1`.compile(db),
    sql`drop table postReport`.compile(db),
    // The reports of each reported user; reports of one source count once.
    sql`insert into reportGroup (userId, openCount, decidedCount, weight, lastDecidedAt, assigneeId, assignedAt)
      select reportedId, sum(reports), 0, sum(weight), null, null, null
      from (select reportedId, source, count(*) as reports, max(weight) as weight from report group by reportedId, source)
      group by reportedId`.compile(db),
    // When a root admin took the post away; it can be shown again for 30 days, then it is deleted.
    sql`alter table post add column removedAt integer`.compile(db),
    sql`create index postRemoved on post (removedAt) where removedAt is not null`.compile(db),
  ]
}
