CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL, "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);
CREATE TABLE "auth_group_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "auth_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "auth_user_user_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "permission_id" integer NOT NULL REFERENCES "auth_permission" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "django_admin_log" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "object_id" text NULL, "object_repr" varchar(200) NOT NULL, "action_flag" smallint unsigned NOT NULL CHECK ("action_flag" >= 0), "change_message" text NOT NULL, "content_type_id" integer NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "action_time" datetime NOT NULL);
CREATE TABLE "django_content_type" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app_label" varchar(100) NOT NULL, "model" varchar(100) NOT NULL);
CREATE TABLE "auth_permission" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "content_type_id" integer NOT NULL REFERENCES "django_content_type" ("id") DEFERRABLE INITIALLY DEFERRED, "codename" varchar(100) NOT NULL, "name" varchar(255) NOT NULL);
CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);
CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE, "last_name" varchar(150) NOT NULL, "email" varchar(254) NOT NULL, "is_staff" bool NOT NULL, "is_active" bool NOT NULL, "date_joined" datetime NOT NULL, "first_name" varchar(150) NOT NULL);
CREATE TABLE "axes_accessattempt" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_agent" varchar(255) NOT NULL, "ip_address" char(39) NULL, "username" varchar(255) NULL, "http_accept" varchar(1025) NOT NULL, "path_info" varchar(255) NOT NULL, "attempt_time" datetime NOT NULL, "get_data" text NOT NULL, "post_data" text NOT NULL, "failures_since_start" integer unsigned NOT NULL CHECK ("failures_since_start" >= 0));
CREATE TABLE "axes_accessfailurelog" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_agent" varchar(255) NOT NULL, "ip_address" char(39) NULL, "username" varchar(255) NULL, "http_accept" varchar(1025) NOT NULL, "path_info" varchar(255) NOT NULL, "attempt_time" datetime NOT NULL, "locked_out" bool NOT NULL);
CREATE TABLE "axes_accesslog" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_agent" varchar(255) NOT NULL, "ip_address" char(39) NULL, "username" varchar(255) NULL, "http_accept" varchar(1025) NOT NULL, "path_info" varchar(255) NOT NULL, "attempt_time" datetime NOT NULL, "logout_time" datetime NULL, "session_hash" varchar(64) NOT NULL);
CREATE TABLE "axes_accessattemptexpiration" ("access_attempt_id" integer NOT NULL PRIMARY KEY REFERENCES "axes_accessattempt" ("id") DEFERRABLE INITIALLY DEFERRED, "expires_at" datetime NOT NULL);
CREATE TABLE "django_q_ormq" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "key" varchar(100) NOT NULL, "payload" text NOT NULL, "lock" datetime NULL);
CREATE TABLE "django_q_task" ("name" varchar(100) NOT NULL, "func" varchar(256) NOT NULL, "hook" varchar(256) NULL, "args" text NULL, "kwargs" text NULL, "result" text NULL, "started" datetime NOT NULL, "stopped" datetime NOT NULL, "success" bool NOT NULL, "id" varchar(32) NOT NULL PRIMARY KEY, "group" varchar(100) NULL, "attempt_count" integer NOT NULL, "cluster" varchar(100) NULL);
CREATE TABLE "django_q_schedule" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "func" varchar(256) NOT NULL, "hook" varchar(256) NULL, "args" text NULL, "kwargs" text NULL, "repeats" integer NOT NULL, "next_run" datetime NULL, "task" varchar(100) NULL, "name" varchar(100) NULL, "minutes" smallint unsigned NULL CHECK ("minutes" >= 0), "cron" varchar(100) NULL, "cluster" varchar(100) NULL, "schedule_type" varchar(2) NOT NULL, "intended_date_kwarg" varchar(100) NULL);
CREATE TABLE "selftest_apikey" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL UNIQUE, "sha256" varchar(64) NOT NULL UNIQUE, "created_at" datetime NOT NULL, "revoked_at" datetime NULL);
CREATE TABLE "selftest_historicaltarget" ("id" bigint NOT NULL, "name" varchar(100) NOT NULL, "kind" varchar(20) NOT NULL, "enabled" bool NOT NULL, "is_default" bool NOT NULL, "time_limit_s" real NOT NULL, "requests_at_once" smallint unsigned NOT NULL CHECK ("requests_at_once" >= 0), "base_url" varchar(500) NOT NULL, "path" varchar(500) NOT NULL, "health_path" varchar(500) NOT NULL, "query_field" varchar(100) NOT NULL, "source_field" varchar(100) NOT NULL, "result_field" varchar(100) NOT NULL, "source_used_field" varchar(100) NOT NULL, "success_field" varchar(100) NOT NULL, "error_field" varchar(100) NOT NULL, "cached_field" varchar(100) NOT NULL, "dotted_path" varchar(300) NOT NULL, "reference_faults" text NOT NULL CHECK ((JSON_VALID("reference_faults") OR "reference_faults" IS NULL)), "reference_empty_rate" real NOT NULL, "history_id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "history_date" datetime NOT NULL, "history_change_reason" varchar(100) NULL, "history_type" varchar(1) NOT NULL, "history_user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "selftest_target" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL UNIQUE, "kind" varchar(20) NOT NULL, "enabled" bool NOT NULL, "is_default" bool NOT NULL, "time_limit_s" real NOT NULL, "requests_at_once" smallint unsigned NOT NULL CHECK ("requests_at_once" >= 0), "base_url" varchar(500) NOT NULL, "path" varchar(500) NOT NULL, "health_path" varchar(500) NOT NULL, "api_key" varchar(500) NOT NULL, "query_field" varchar(100) NOT NULL, "source_field" varchar(100) NOT NULL, "result_field" varchar(100) NOT NULL, "source_used_field" varchar(100) NOT NULL, "success_field" varchar(100) NOT NULL, "error_field" varchar(100) NOT NULL, "cached_field" varchar(100) NOT NULL, "dotted_path" varchar(300) NOT NULL, "reference_faults" text NOT NULL CHECK ((JSON_VALID("reference_faults") OR "reference_faults" IS NULL)), "reference_empty_rate" real NOT NULL);
CREATE TABLE "selftest_cycle" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "trigger" varchar(20) NOT NULL, "state" varchar(20) NOT NULL, "seed" bigint NOT NULL, "recipes" text NOT NULL CHECK ((JSON_VALID("recipes") OR "recipes" IS NULL)), "queries_wanted" integer unsigned NOT NULL CHECK ("queries_wanted" >= 0), "target_version" varchar(200) NOT NULL, "queries_run" integer unsigned NOT NULL CHECK ("queries_run" >= 0), "flagged" integer unsigned NOT NULL CHECK ("flagged" >= 0), "novel" integer unsigned NOT NULL CHECK ("novel" >= 0), "created_at" datetime NOT NULL, "started_at" datetime NULL, "finished_at" datetime NULL, "owner" varchar(200) NOT NULL, "note" text NOT NULL, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, "vocabulary_id" bigint NULL REFERENCES "selftest_vocabularyversion" ("id") DEFERRABLE INITIALLY DEFERRED, "combination_id" bigint NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "replay_of_id" bigint NULL REFERENCES "selftest_cycle" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "selftest_reviewevent" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "actor" varchar(200) NOT NULL, "note" text NOT NULL, "at" datetime NOT NULL, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "run_id" bigint NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "act_id" bigint NULL REFERENCES "selftest_bulkact" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "selftest_run" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "recipe_name" varchar(100) NOT NULL, "place" integer unsigned NOT NULL CHECK ("place" >= 0), "query" text NOT NULL CHECK ((JSON_VALID("query") OR "query" IS NULL)), "query_text" text NOT NULL, "novel" bool NOT NULL, "state" varchar(20) NOT NULL, "asked_at" datetime NULL, "finished_at" datetime NULL, "source_used" varchar(200) NOT NULL, "latency_ms" real NULL, "http_status" smallint unsigned NULL CHECK ("http_status" >= 0), "cached" bool NOT NULL, "error" text NOT NULL, "own_error" text NOT NULL, "result" text NOT NULL, "result_length_bytes" bigint unsigned NULL CHECK ("result_length_bytes" >= 0), "result_sha256" varchar(64) NOT NULL, "reason" text NULL, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "cycle_id" bigint NOT NULL REFERENCES "selftest_cycle" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "run_place_once" UNIQUE ("cycle_id", "place"));
CREATE TABLE "selftest_vocabularyversion" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "content" text NOT NULL CHECK ((JSON_VALID("content") OR "content" IS NULL)), "sha256" varchar(64) NOT NULL, "births" text NOT NULL CHECK ((JSON_VALID("births") OR "births" IS NULL)), "in_force" bool NOT NULL, "from_environment" bool NOT NULL, "created_at" datetime NOT NULL, "created_by_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "vocabulary_number_once" UNIQUE ("target_id", "number"));
CREATE TABLE "selftest_walk" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "identity" varchar(64) NOT NULL, "recipe_name" varchar(100) NOT NULL, "key" bigint NOT NULL, "position" bigint NOT NULL, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "walk_once_per_layer" UNIQUE ("target_id", "identity"));
CREATE TABLE "selftest_ingredient" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "text" text NOT NULL, "sha256" varchar(64) NOT NULL UNIQUE);
CREATE TABLE "selftest_combination" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "fingerprint" text NOT NULL, "fingerprint_sha256" varchar(64) NOT NULL, "recipe_name" varchar(100) NOT NULL, "query" text NOT NULL CHECK ((JSON_VALID("query") OR "query" IS NULL)), "times_generated" integer unsigned NOT NULL CHECK ("times_generated" >= 0), "first_seen_timestamp" datetime NOT NULL, "last_query_text" text NOT NULL, "last_source_used" varchar(200) NULL, "last_latency_ms" real NULL, "last_flagged_reason" text NULL, "last_run_timestamp" datetime NULL, "last_flagged_result_excerpt" text NULL, "ever_flagged" bool NOT NULL, "currently_flagged" bool NOT NULL, "first_flagged_reason" text NULL, "first_flagged_timestamp" datetime NULL, "review_status" varchar(20) NULL, "last_flagged_run_id" bigint NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "last_run_id" bigint NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, "flagged_check" varchar(60) NOT NULL, "held_at" datetime NULL, "held_by_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "times_flagged" integer unsigned NOT NULL CHECK ("times_flagged" >= 0), "suspect_id" bigint NULL REFERENCES "selftest_ingredient" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "combination_once_per_target" UNIQUE ("target_id", "fingerprint_sha256"));
CREATE TABLE "selftest_bulkact" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(20) NOT NULL, "state" varchar(20) NOT NULL, "actor" varchar(200) NOT NULL, "note" text NOT NULL, "selection" text NOT NULL, "created_at" datetime NOT NULL, "done_at" datetime NULL, "undone_at" datetime NULL, "user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "selftest_combination_ingredients" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "ingredient_id" bigint NOT NULL REFERENCES "selftest_ingredient" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "selftest_bulkitem" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "seen_run" bigint NULL, "outcome" varchar(20) NOT NULL, "status_before" varchar(20) NULL, "held_at_before" datetime NULL, "act_id" bigint NOT NULL REFERENCES "selftest_bulkact" ("id") DEFERRABLE INITIALLY DEFERRED, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "held_by_before_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "bulk_item_once" UNIQUE ("act_id", "combination_id"));
CREATE TABLE "selftest_ingredienttally" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "check_name" varchar(60) NOT NULL, "runs" bigint unsigned NOT NULL CHECK ("runs" >= 0), "ingredient_id" bigint NOT NULL REFERENCES "selftest_ingredient" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "ingredient_tally_once" UNIQUE ("target_id", "check_name", "ingredient_id"));
CREATE TABLE "selftest_recipetally" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "recipe_name" varchar(100) NOT NULL, "check_name" varchar(60) NOT NULL, "day" date NOT NULL, "runs" bigint unsigned NOT NULL CHECK ("runs" >= 0), "flagged" bigint unsigned NOT NULL CHECK ("flagged" >= 0), "novel" bigint unsigned NOT NULL CHECK ("novel" >= 0), "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "recipe_tally_once" UNIQUE ("target_id", "day", "recipe_name", "check_name"));
CREATE TABLE "review_profile" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "theme" varchar(10) NOT NULL, "keyboard" bool NOT NULL, "user_id" integer NOT NULL UNIQUE REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "review_savedview" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(80) NOT NULL, "query" varchar(2000) NOT NULL, "is_shared" bool NOT NULL, "created_at" datetime NOT NULL, "owner_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "saved_view_name_once_per_owner" UNIQUE ("owner_id", "name"));
CREATE VIRTUAL TABLE selftest_combination_words USING fts5(words, content='', tokenize='ascii', detail=none, prefix='1 2 3 4 5 6 7 8 9 10');
CREATE VIRTUAL TABLE selftest_flagged_words USING fts5(words, content='', tokenize='ascii', detail=none, prefix='1 2 3 4 5 6 7 8 9 10');
CREATE TABLE "selftest_installation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "key_mark" varchar(200) NOT NULL, "queue_changes" bigint unsigned NOT NULL CHECK ("queue_changes" >= 0));
CREATE TABLE "selftest_flag" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "check_name" varchar(60) NOT NULL, "place" smallint unsigned NOT NULL CHECK ("place" >= 0), "reason" text NOT NULL, "evidence" text NOT NULL CHECK ((JSON_VALID("evidence") OR "evidence" IS NULL)), "created_at" datetime NOT NULL, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "run_id" bigint NOT NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "asked_again" smallint unsigned NOT NULL CHECK ("asked_again" >= 0), "seen_again" smallint unsigned NOT NULL CHECK ("seen_again" >= 0), CONSTRAINT "flag_once_per_check" UNIQUE ("run_id", "check_name"));
CREATE TABLE "selftest_historicaltuning" ("id" bigint NOT NULL, "enabled" bool NOT NULL, "interval_minutes" integer unsigned NOT NULL CHECK ("interval_minutes" >= 0), "batch_size" integer unsigned NOT NULL CHECK ("batch_size" >= 0), "latency_outlier_multiplier" real NOT NULL, "latency_outlier_floor_ms" integer unsigned NOT NULL CHECK ("latency_outlier_floor_ms" >= 0), "latency_outlier_min_samples" integer unsigned NOT NULL CHECK ("latency_outlier_min_samples" >= 0), "open_reads" bool NOT NULL, "history_id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "history_date" datetime NOT NULL, "history_change_reason" varchar(100) NULL, "history_type" varchar(1) NOT NULL, "history_user_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "checks_off" text NOT NULL CHECK ((JSON_VALID("checks_off") OR "checks_off" IS NULL)), "explains" bool NOT NULL, "probe_hours" real NOT NULL, "probes_per_query" real NOT NULL);
CREATE TABLE "selftest_tuning" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "enabled" bool NOT NULL, "interval_minutes" integer unsigned NOT NULL CHECK ("interval_minutes" >= 0), "batch_size" integer unsigned NOT NULL CHECK ("batch_size" >= 0), "latency_outlier_multiplier" real NOT NULL, "latency_outlier_floor_ms" integer unsigned NOT NULL CHECK ("latency_outlier_floor_ms" >= 0), "latency_outlier_min_samples" integer unsigned NOT NULL CHECK ("latency_outlier_min_samples" >= 0), "open_reads" bool NOT NULL, "checks_off" text NOT NULL CHECK ((JSON_VALID("checks_off") OR "checks_off" IS NULL)), "explains" bool NOT NULL, "probe_hours" real NOT NULL, "probes_per_query" real NOT NULL);
CREATE TABLE "selftest_explanation" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "check_name" varchar(60) NOT NULL, "reason" text NOT NULL, "evidence" text NOT NULL CHECK ((JSON_VALID("evidence") OR "evidence" IS NULL)), "cause" varchar(20) NOT NULL, "source" varchar(200) NOT NULL, "created_at" datetime NOT NULL, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "run_id" bigint NOT NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "explanation_once_per_check" UNIQUE ("run_id", "check_name"));
CREATE TABLE "selftest_pairtally" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "check_name" varchar(60) NOT NULL, "runs" text NOT NULL CHECK ((JSON_VALID("runs") OR "runs" IS NULL)), "ingredient_id" bigint NOT NULL REFERENCES "selftest_ingredient" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "pair_tally_once" UNIQUE ("target_id", "check_name", "ingredient_id"));
CREATE TABLE "selftest_checktally" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "check_name" varchar(60) NOT NULL, "runs" bigint unsigned NOT NULL CHECK ("runs" >= 0), "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "check_tally_once" UNIQUE ("target_id", "check_name"));
CREATE TABLE "selftest_reduction" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "check_name" varchar(60) NOT NULL, "state" varchar(20) NOT NULL, "askings_at_most" integer unsigned NOT NULL CHECK ("askings_at_most" >= 0), "askings" integer unsigned NOT NULL CHECK ("askings" >= 0), "smallest" text NULL CHECK ((JSON_VALID("smallest") OR "smallest" IS NULL)), "smallest_text" text NOT NULL, "kept" text NOT NULL CHECK ((JSON_VALID("kept") OR "kept" IS NULL)), "is_minimal" bool NOT NULL, "result" text NOT NULL, "source_used" varchar(200) NOT NULL, "created_at" datetime NOT NULL, "finished_at" datetime NULL, "note" text NOT NULL, "combination_id" bigint NOT NULL REFERENCES "selftest_combination" ("id") DEFERRABLE INITIALLY DEFERRED, "requested_by_id" integer NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "run_id" bigint NOT NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "last_sign_at" datetime NULL, "owner" varchar(200) NOT NULL);
CREATE TABLE "selftest_coverage" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "recipe_name" varchar(100) NOT NULL, "values" text NOT NULL CHECK ((JSON_VALID("values") OR "values" IS NULL)), "pairs" BLOB NOT NULL, "triples" BLOB NOT NULL, "queries" bigint unsigned NOT NULL CHECK ("queries" >= 0), "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, "turn" bigint unsigned NOT NULL CHECK ("turn" >= 0), CONSTRAINT "coverage_once_per_recipe" UNIQUE ("target_id", "recipe_name"));
CREATE TABLE "selftest_probe" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "purpose" varchar(20) NOT NULL, "text" text NOT NULL, "text_sha256" varchar(64) NOT NULL, "source" varchar(200) NOT NULL, "asked_at" datetime NOT NULL, "source_used" varchar(200) NOT NULL, "latency_ms" real NOT NULL, "http_status" smallint unsigned NULL CHECK ("http_status" >= 0), "cached" bool NOT NULL, "error" text NOT NULL, "result" text NOT NULL, "result_length_bytes" bigint unsigned NOT NULL CHECK ("result_length_bytes" >= 0), "result_sha256" varchar(64) NOT NULL, "empty_phrase" varchar(500) NOT NULL, "run_id" bigint NOT NULL REFERENCES "selftest_run" ("id") DEFERRABLE INITIALLY DEFERRED, "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, "only" varchar(200) NOT NULL);
CREATE TABLE "selftest_sourcestability" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "source" varchar(200) NOT NULL, "agreed" integer unsigned NOT NULL CHECK ("agreed" >= 0), "compared" integer unsigned NOT NULL CHECK ("compared" >= 0), "target_id" bigint NOT NULL REFERENCES "selftest_target" ("id") DEFERRABLE INITIALLY DEFERRED, "longest" integer unsigned NOT NULL CHECK ("longest" >= 0), CONSTRAINT "stability_once_per_source" UNIQUE ("target_id", "source"));
CREATE TABLE "django_session" ("session_key" varchar(40) NOT NULL PRIMARY KEY, "session_data" text NOT NULL, "expire_date" datetime NOT NULL);
CREATE TABLE "cache" ( "cache_key" varchar(255) NOT NULL PRIMARY KEY, "value" text NOT NULL, "expires" datetime NOT NULL );
INSERT INTO "django_migrations" VALUES
(1,'contenttypes','0001_initial','2026-11-21 23:57:03.271896'),
(2,'auth','0001_initial','2026-11-21 23:57:03.353785'),
(3,'admin','0001_initial','2026-11-21 23:57:03.398539'),
(4,'admin','0002_logentry_remove_auto_add','2026-11-21 23:57:03.445283'),
(5,'admin','0003_logentry_add_action_flag_choices','2026-11-21 23:57:03.469513'),
(6,'contenttypes','0002_remove_content_type_name','2026-11-21 23:57:03.586949'),
(7,'auth','0002_alter_permission_name_max_length','2026-11-21 23:57:03.640957'),
(8,'auth','0003_alter_user_email_max_length','2026-11-21 23:57:03.714500'),
(9,'auth','0004_alter_user_username_opts','2026-11-21 23:57:03.757457'),
(10,'auth','0005_alter_user_last_login_null','2026-11-21 23:57:03.797150'),
(11,'auth','0006_require_contenttypes_0002','2026-11-21 23:57:03.797856'),
(12,'auth','0007_alter_validators_add_error_messages','2026-11-21 23:57:03.840938'),
(13,'auth','0008_alter_user_username_max_length','2026-11-21 23:57:03.895089'),
(14,'auth','0009_alter_user_last_name_max_length','2026-11-21 23:57:03.936091'),
(15,'auth','0010_alter_group_name_max_length','2026-11-21 23:57:03.968935'),
(16,'auth','0011_update_proxy_permissions','2026-11-21 23:57:04.007366'),
(17,'auth','0012_alter_user_first_name_max_length','2026-11-21 23:57:04.060630'),
(18,'axes','0001_initial','2026-11-21 23:57:04.088622'),
(19,'axes','0002_auto_20151217_2044','2026-11-21 23:57:04.224726'),
(20,'axes','0003_auto_20160322_0929','2026-11-21 23:57:04.305871'),
(21,'axes','0004_auto_20181024_1538','2026-11-21 23:57:04.355087'),
(22,'axes','0005_remove_accessattempt_trusted','2026-11-21 23:57:04.376507'),
(23,'axes','0006_remove_accesslog_trusted','2026-11-21 23:57:04.402985'),
(24,'axes','0007_alter_accessattempt_unique_together','2026-11-21 23:57:04.459464'),
(25,'axes','0008_accessfailurelog','2026-11-21 23:57:04.473730'),
(26,'axes','0009_add_session_hash','2026-11-21 23:57:04.493984'),
(27,'axes','0010_accessattemptexpiration','2026-11-21 23:57:04.505532'),
(28,'django_q','0001_initial','2026-11-21 23:57:04.530950'),
(29,'django_q','0002_auto_20150630_1624','2026-11-21 23:57:04.564813'),
(30,'django_q','0003_auto_20150708_1326','2026-11-21 23:57:04.633726'),
(31,'django_q','0004_auto_20150710_1043','2026-11-21 23:57:04.659683'),
(32,'django_q','0005_auto_20150718_1506','2026-11-21 23:57:04.677297'),
(33,'django_q','0006_auto_20150805_1817','2026-11-21 23:57:04.707054'),
(34,'django_q','0007_ormq','2026-11-21 23:57:04.709682'),
(35,'django_q','0008_auto_20160224_1026','2026-11-21 23:57:04.724990'),
(36,'django_q','0009_auto_20171009_0915','2026-11-21 23:57:04.755197'),
(37,'django_q','0010_auto_20200610_0856','2026-11-21 23:57:04.831841'),
(38,'django_q','0011_auto_20200628_1055','2026-11-21 23:57:04.840749'),
(39,'django_q','0012_auto_20200702_1608','2026-11-21 23:57:04.853689'),
(40,'django_q','0013_task_attempt_count','2026-11-21 23:57:04.875936'),
(41,'django_q','0014_schedule_cluster','2026-11-21 23:57:04.891950'),
(42,'django_q','0015_alter_schedule_schedule_type','2026-11-21 23:57:04.905547'),
(43,'django_q','0016_schedule_intended_date_kwarg','2026-11-21 23:57:04.933629'),
(44,'django_q','0017_task_cluster_alter','2026-11-21 23:57:04.973339'),
(45,'django_q','0018_task_success_index','2026-11-21 23:57:04.985742'),
(46,'django_q','0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more','2026-11-21 23:57:05.258143'),
(47,'selftest','0001_initial','2026-11-21 23:57:06.729835'),
(48,'selftest','0002_review_queue','2026-11-21 23:57:09.374981'),
(49,'review','0001_profile_and_saved_view','2026-11-21 23:57:09.752523'),
(50,'review','0002_roles','2026-11-21 23:57:10.158102'),
(51,'selftest','0003_search_words','2026-11-21 23:57:10.383108'),
(52,'selftest','0004_backfill_review','2026-11-21 23:57:10.612499'),
(53,'selftest','0005_lookups','2026-11-21 23:57:11.733479'),
(54,'selftest','0006_queue_changes','2026-11-21 23:57:11.769216'),
(55,'selftest','0007_ingredient_lookup','2026-11-21 23:57:11.803370'),
(56,'selftest','0008_relations','2026-11-21 23:57:13.684941'),
(57,'selftest','0009_check_tally','2026-11-21 23:57:13.935079'),
(58,'selftest','0010_backfill_pairs','2026-11-21 23:57:14.155996'),
(59,'selftest','0011_reduction_owner','2026-11-21 23:57:14.725865'),
(60,'selftest','0012_explained_lookups','2026-11-21 23:57:15.741617'),
(61,'selftest','0013_recipe_turns','2026-11-21 23:57:15.899536'),
(62,'selftest','0014_births_of_new_recipes','2026-11-21 23:57:16.082162'),
(63,'selftest','0015_probed_by_name','2026-11-21 23:57:16.400687'),
(64,'selftest','0016_asked_without_others','2026-11-21 23:57:16.503513'),
(65,'selftest','0017_longest_sections','2026-11-21 23:57:16.597489'),
(66,'sessions','0001_initial','2026-11-21 23:57:16.614717');
INSERT INTO "auth_group_permissions" VALUES
(1,1,65),
(2,1,33),
(3,1,4),
(4,1,69),
(5,1,37),
(6,1,8),
(7,1,73),
(8,1,41),
(9,1,13),
(10,1,45),
(11,1,17),
(12,1,49),
(13,1,61),
(14,1,53),
(15,1,21),
(16,1,25),
(17,1,29),
(18,1,57),
(19,2,4),
(20,2,8),
(21,2,9),
(22,2,13),
(23,2,17),
(24,2,21),
(25,2,25),
(26,2,29),
(27,2,33),
(28,2,37),
(29,2,41),
(30,2,45),
(31,2,49),
(32,2,53),
(33,2,57),
(34,2,61),
(35,2,65),
(36,2,69),
(37,2,73),
(38,3,1),
(39,3,2),
(40,3,3),
(41,3,4),
(42,3,5),
(43,3,6),
(44,3,7),
(45,3,8),
(46,3,9),
(47,3,10),
(48,3,11),
(49,3,12),
(50,3,13),
(51,3,14),
(52,3,15),
(53,3,16),
(54,3,17),
(55,3,18),
(56,3,19),
(57,3,20),
(58,3,21),
(59,3,22),
(60,3,23),
(61,3,24),
(62,3,25),
(63,3,26),
(64,3,27),
(65,3,28),
(66,3,29),
(67,3,30),
(68,3,31),
(69,3,32),
(70,3,33),
(71,3,34),
(72,3,35),
(73,3,36),
(74,3,37),
(75,3,38),
(76,3,39),
(77,3,40),
(78,3,41),
(79,3,42),
(80,3,43),
(81,3,44),
(82,3,45),
(83,3,46),
(84,3,47),
(85,3,48),
(86,3,49),
(87,3,50),
(88,3,51),
(89,3,52),
(90,3,53),
(91,3,54),
(92,3,55),
(93,3,56),
(94,3,57),
(95,3,58),
(96,3,59),
(97,3,60),
(98,3,61),
(99,3,62),
(100,3,63),
(101,3,64),
(102,3,65),
(103,3,66),
(104,3,67),
(105,3,68),
(106,3,69),
(107,3,70),
(108,3,71),
(109,3,72),
(110,3,73),
(111,3,74),
(112,3,75),
(113,3,76),
(114,3,77),
(115,3,78),
(116,3,79),
(117,3,80),
(118,3,81),
(119,3,86),
(120,3,87),
(121,3,88),
(122,3,89),
(123,3,90),
(124,3,91),
(125,3,92),
(126,3,93),
(145,1,97),
(146,1,101),
(147,1,105),
(148,1,109),
(149,1,113),
(150,1,117),
(151,1,121),
(171,2,97),
(172,2,101),
(173,2,105),
(174,2,109),
(175,2,113),
(176,2,117),
(177,2,121),
(267,3,94),
(268,3,95),
(269,3,96),
(270,3,97),
(271,3,98),
(272,3,99),
(273,3,100),
(274,3,101),
(275,3,102),
(276,3,103),
(277,3,104),
(278,3,105),
(279,3,106),
(280,3,107),
(281,3,108),
(282,3,109),
(283,3,110),
(284,3,111),
(285,3,112),
(286,3,113),
(287,3,114),
(288,3,115),
(289,3,116),
(290,3,117),
(291,3,118),
(292,3,119),
(293,3,120),
(294,3,121);
INSERT INTO "django_content_type" VALUES
(1,'selftest','apikey'),
(2,'selftest','combination'),
(3,'selftest','cycle'),
(4,'selftest','installation'),
(5,'selftest','tuning'),
(6,'selftest','historicaltarget'),
(7,'selftest','historicaltuning'),
(8,'selftest','run'),
(9,'selftest','target'),
(10,'selftest','vocabularyversion'),
(11,'selftest','walk'),
(12,'selftest','reviewevent'),
(13,'selftest','flag'),
(14,'selftest','ingredient'),
(15,'selftest','ingredienttally'),
(16,'selftest','recipetally'),
(17,'selftest','bulkact'),
(18,'selftest','bulkitem'),
(19,'review','profile'),
(20,'review','savedview'),
(21,'auth','permission'),
(22,'auth','group'),
(23,'auth','user'),
(24,'selftest','coverage'),
(25,'selftest','explanation'),
(26,'selftest','pairtally'),
(27,'selftest','probe'),
(28,'selftest','reduction'),
(29,'selftest','checktally'),
(30,'selftest','sourcestability'),
(31,'admin','logentry'),
(32,'contenttypes','contenttype'),
(33,'sessions','session'),
(34,'django_q','schedule'),
(35,'django_q','task'),
(36,'django_q','failure'),
(37,'django_q','success'),
(38,'django_q','ormq'),
(39,'axes','accessattempt'),
(40,'axes','accesslog'),
(41,'axes','accessfailurelog'),
(42,'axes','accessattemptexpiration');
INSERT INTO "auth_permission" VALUES
(1,1,'add_apikey','Can add API key'),
(2,1,'change_apikey','Can change API key'),
(3,1,'delete_apikey','Can delete API key'),
(4,1,'view_apikey','Can view API key'),
(5,2,'add_combination','Can add combination'),
(6,2,'change_combination','Can change combination'),
(7,2,'delete_combination','Can delete combination'),
(8,2,'view_combination','Can view combination'),
(9,2,'review_combination','Can review: dismiss, undo, hold, note, run again'),
(10,3,'add_cycle','Can add cycle'),
(11,3,'change_cycle','Can change cycle'),
(12,3,'delete_cycle','Can delete cycle'),
(13,3,'view_cycle','Can view cycle'),
(14,4,'add_installation','Can add installation'),
(15,4,'change_installation','Can change installation'),
(16,4,'delete_installation','Can delete installation'),
(17,4,'view_installation','Can view installation'),
(18,5,'add_tuning','Can add settings'),
(19,5,'change_tuning','Can change settings'),
(20,5,'delete_tuning','Can delete settings'),
(21,5,'view_tuning','Can view settings'),
(22,6,'add_historicaltarget','Can add historical target'),
(23,6,'change_historicaltarget','Can change historical target'),
(24,6,'delete_historicaltarget','Can delete historical target'),
(25,6,'view_historicaltarget','Can view historical target'),
(26,7,'add_historicaltuning','Can add historical settings'),
(27,7,'change_historicaltuning','Can change historical settings'),
(28,7,'delete_historicaltuning','Can delete historical settings'),
(29,7,'view_historicaltuning','Can view historical settings'),
(30,8,'add_run','Can add run'),
(31,8,'change_run','Can change run'),
(32,8,'delete_run','Can delete run'),
(33,8,'view_run','Can view run'),
(34,9,'add_target','Can add target'),
(35,9,'change_target','Can change target'),
(36,9,'delete_target','Can delete target'),
(37,9,'view_target','Can view target'),
(38,10,'add_vocabularyversion','Can add vocabulary version'),
(39,10,'change_vocabularyversion','Can change vocabulary version'),
(40,10,'delete_vocabularyversion','Can delete vocabulary version'),
(41,10,'view_vocabularyversion','Can view vocabulary version'),
(42,11,'add_walk','Can add walk'),
(43,11,'change_walk','Can change walk'),
(44,11,'delete_walk','Can delete walk'),
(45,11,'view_walk','Can view walk'),
(46,12,'add_reviewevent','Can add review event'),
(47,12,'change_reviewevent','Can change review event'),
(48,12,'delete_reviewevent','Can delete review event'),
(49,12,'view_reviewevent','Can view review event'),
(50,13,'add_flag','Can add flag'),
(51,13,'change_flag','Can change flag'),
(52,13,'delete_flag','Can delete flag'),
(53,13,'view_flag','Can view flag'),
(54,14,'add_ingredient','Can add ingredient'),
(55,14,'change_ingredient','Can change ingredient'),
(56,14,'delete_ingredient','Can delete ingredient'),
(57,14,'view_ingredient','Can view ingredient'),
(58,15,'add_ingredienttally','Can add ingredient tally'),
(59,15,'change_ingredienttally','Can change ingredient tally'),
(60,15,'delete_ingredienttally','Can delete ingredient tally'),
(61,15,'view_ingredienttally','Can view ingredient tally'),
(62,16,'add_recipetally','Can add recipe tally'),
(63,16,'change_recipetally','Can change recipe tally'),
(64,16,'delete_recipetally','Can delete recipe tally'),
(65,16,'view_recipetally','Can view recipe tally'),
(66,17,'add_bulkact','Can add bulk act'),
(67,17,'change_bulkact','Can change bulk act'),
(68,17,'delete_bulkact','Can delete bulk act'),
(69,17,'view_bulkact','Can view bulk act'),
(70,18,'add_bulkitem','Can add bulk item'),
(71,18,'change_bulkitem','Can change bulk item'),
(72,18,'delete_bulkitem','Can delete bulk item'),
(73,18,'view_bulkitem','Can view bulk item'),
(74,19,'add_profile','Can add profile'),
(75,19,'change_profile','Can change profile'),
(76,19,'delete_profile','Can delete profile'),
(77,19,'view_profile','Can view profile'),
(78,20,'add_savedview','Can add saved view'),
(79,20,'change_savedview','Can change saved view'),
(80,20,'delete_savedview','Can delete saved view'),
(81,20,'view_savedview','Can view saved view'),
(82,21,'add_permission','Can add permission'),
(83,21,'change_permission','Can change permission'),
(84,21,'delete_permission','Can delete permission'),
(85,21,'view_permission','Can view permission'),
(86,22,'add_group','Can add group'),
(87,22,'change_group','Can change group'),
(88,22,'delete_group','Can delete group'),
(89,22,'view_group','Can view group'),
(90,23,'add_user','Can add user'),
(91,23,'change_user','Can change user'),
(92,23,'delete_user','Can delete user'),
(93,23,'view_user','Can view user'),
(94,24,'add_coverage','Can add coverage'),
(95,24,'change_coverage','Can change coverage'),
(96,24,'delete_coverage','Can delete coverage'),
(97,24,'view_coverage','Can view coverage'),
(98,25,'add_explanation','Can add explanation'),
(99,25,'change_explanation','Can change explanation'),
(100,25,'delete_explanation','Can delete explanation'),
(101,25,'view_explanation','Can view explanation'),
(102,26,'add_pairtally','Can add pair tally'),
(103,26,'change_pairtally','Can change pair tally'),
(104,26,'delete_pairtally','Can delete pair tally'),
(105,26,'view_pairtally','Can view pair tally'),
(106,27,'add_probe','Can add probe'),
(107,27,'change_probe','Can change probe'),
(108,27,'delete_probe','Can delete probe'),
(109,27,'view_probe','Can view probe'),
(110,28,'add_reduction','Can add reduction'),
(111,28,'change_reduction','Can change reduction'),
(112,28,'delete_reduction','Can delete reduction'),
(113,28,'view_reduction','Can view reduction'),
(114,29,'add_checktally','Can add check tally'),
(115,29,'change_checktally','Can change check tally'),
(116,29,'delete_checktally','Can delete check tally'),
(117,29,'view_checktally','Can view check tally'),
(118,30,'add_sourcestability','Can add source stability'),
(119,30,'change_sourcestability','Can change source stability'),
(120,30,'delete_sourcestability','Can delete source stability'),
(121,30,'view_sourcestability','Can view source stability'),
(122,31,'add_logentry','Can add log entry'),
(123,31,'change_logentry','Can change log entry'),
(124,31,'delete_logentry','Can delete log entry'),
(125,31,'view_logentry','Can view log entry'),
(126,32,'add_contenttype','Can add content type'),
(127,32,'change_contenttype','Can change content type'),
(128,32,'delete_contenttype','Can delete content type'),
(129,32,'view_contenttype','Can view content type'),
(130,33,'add_session','Can add session'),
(131,33,'change_session','Can change session'),
(132,33,'delete_session','Can delete session'),
(133,33,'view_session','Can view session'),
(134,34,'add_schedule','Can add Scheduled task'),
(135,34,'change_schedule','Can change Scheduled task'),
(136,34,'delete_schedule','Can delete Scheduled task'),
(137,34,'view_schedule','Can view Scheduled task'),
(138,35,'add_task','Can add Task'),
(139,35,'change_task','Can change Task'),
(140,35,'delete_task','Can delete Task'),
(141,35,'view_task','Can view Task'),
(142,36,'add_failure','Can add Failed task'),
(143,36,'change_failure','Can change Failed task'),
(144,36,'delete_failure','Can delete Failed task'),
(145,36,'view_failure','Can view Failed task'),
(146,37,'add_success','Can add Successful task'),
(147,37,'change_success','Can change Successful task'),
(148,37,'delete_success','Can delete Successful task'),
(149,37,'view_success','Can view Successful task'),
(150,38,'add_ormq','Can add Queued task'),
(151,38,'change_ormq','Can change Queued task'),
(152,38,'delete_ormq','Can delete Queued task'),
(153,38,'view_ormq','Can view Queued task'),
(154,39,'add_accessattempt','Can add access attempt'),
(155,39,'change_accessattempt','Can change access attempt'),
(156,39,'delete_accessattempt','Can delete access attempt'),
(157,39,'view_accessattempt','Can view access attempt'),
(158,40,'add_accesslog','Can add access log'),
(159,40,'change_accesslog','Can change access log'),
(160,40,'delete_accesslog','Can delete access log'),
(161,40,'view_accesslog','Can view access log'),
(162,41,'add_accessfailurelog','Can add access failure'),
(163,41,'change_accessfailurelog','Can change access failure'),
(164,41,'delete_accessfailurelog','Can delete access failure'),
(165,41,'view_accessfailurelog','Can view access failure'),
(166,42,'add_accessattemptexpiration','Can add access attempt expiration'),
(167,42,'change_accessattemptexpiration','Can change access attempt expiration'),
(168,42,'delete_accessattemptexpiration','Can delete access attempt expiration'),
(169,42,'view_accessattemptexpiration','Can view access attempt expiration');
INSERT INTO "auth_group" VALUES
(1,'viewer'),
(2,'reviewer'),
(3,'admin');
INSERT INTO "auth_user" VALUES
(1,'!ZU7YHOf6n1Ru1PPF8GomZMvslxArGDlCyMxWbgnM',NULL,0,'vera','','',0,1,'2026-11-21 23:57:17.064753','');
INSERT INTO "django_q_ormq" VALUES
(1,'gadfly','gAWV6QAAAAAAAAB9lCiMAmlklIwgYjY1OTIyYmFiMjI4NDkxMmEwYzhlMjBiNjBkMTQ5ZjaUjARuYW1llIwHY3ljbGUgM5SMBGZ1bmOUjBxzZWxmdGVzdC50YXNrcy5wbGFubmVkX2N5Y2xllIwEYXJnc5RLA4WUjAthY2tfZmFpbHVyZZSIjAZrd2FyZ3OUfZSMB3N0YXJ0ZWSUjAhkYXRldGltZZSMCGRhdGV0aW1llJOUQwoH6gsVFzkTAFWBlGgNjAh0aW1lem9uZZSTlGgNjAl0aW1lZGVsdGGUk5RLAEsASwCHlFKUhZRSlIaUUpR1Lg:1xUuxL:uGYZb5JaP7BxzDM5St3pZMp3TnLRuExl5tID-sEaTu4','2026-11-21 23:57:19.032818');
INSERT INTO "django_q_schedule" VALUES
(1,'selftest.tasks.scheduled_cycles',NULL,NULL,NULL,-1,'2026-11-22 00:57:18.151918',NULL,'adversarial test cycle',60,NULL,NULL,'I',NULL);
INSERT INTO "selftest_historicaltarget" VALUES
(1,'harbour','reference',1,1,60.0,1,'','/search','/health','query','source','result','source_used','success','error','cached','','[]',0.0,1,'2026-11-21 23:57:16.993396',NULL,'+',NULL),
(1,'harbour','reference',1,1,60.0,1,'','/search','/health','query','source','result','source_used','success','error','cached','','["empty_answer", "collapses_to_first_intent"]',0.0,2,'2026-11-21 23:57:17.043254',NULL,'~',NULL);
INSERT INTO "selftest_target" VALUES
(1,'harbour','reference',1,1,60.0,1,'','/search','/health','','query','source','result','source_used','success','error','cached','','["empty_answer", "collapses_to_first_intent"]',0.0);
INSERT INTO "selftest_cycle" VALUES
(1,'command','finished',5,'[]',5,'reference-1',5,3,5,'2026-11-21 23:57:17.068769','2026-11-21 23:57:17.126881','2026-11-21 23:57:17.870444','worker:1:1.00','',1,1,NULL,NULL),
(2,'command','finished',6,'[]',5,'reference-1',5,5,5,'2026-11-21 23:57:18.151918','2026-11-21 23:57:18.189891','2026-11-21 23:57:18.697388','worker:1:1.00','',1,1,NULL,NULL),
(3,'page','planned',7,'[]',3,'',0,0,0,'2026-11-21 23:57:19.017573',NULL,NULL,'','',1,NULL,NULL,NULL);
INSERT INTO "selftest_reviewevent" VALUES
(1,'flagged','engine','part_lost: alone ''next ferry'' is answered by ferry; not among the others','2026-11-21 23:57:17.537124',1,NULL,1,NULL),
(2,'flagged','engine','part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','2026-11-21 23:57:17.646189',2,NULL,2,NULL),
(3,'flagged','engine','unexpected_empty: the answer is blank','2026-11-21 23:57:17.823206',5,NULL,5,NULL),
(4,'flagged','engine','part_lost: alone ''berths free'' is answered by harbour; not among the others','2026-11-21 23:57:18.372258',6,NULL,6,NULL),
(5,'flagged','engine','unexpected_empty: the answer is only ''nothing to report''','2026-11-21 23:57:18.433513',7,NULL,7,NULL),
(6,'flagged','engine','unexpected_empty: the answer is blank','2026-11-21 23:57:18.505238',8,NULL,8,NULL),
(7,'flagged','engine','part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','2026-11-21 23:57:18.614508',9,NULL,9,NULL),
(8,'flagged','engine','unexpected_empty: the answer is blank','2026-11-21 23:57:18.645444',10,NULL,10,NULL),
(9,'dismissed','vera','known','2026-11-21 23:57:18.963052',1,1,1,NULL),
(10,'taken','vera','','2026-11-21 23:57:18.975523',2,1,2,NULL),
(11,'noted','vera','looks like the router','2026-11-21 23:57:18.977413',5,1,5,NULL);
INSERT INTO "selftest_run" VALUES
(1,'megaquery',0,'{"recipe": "megaquery", "parts": [["nosplit", "versus", ""], ["mark", " ", ""], ["pair", "Jersey and Guernsey", ""], ["joint", ", also ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["discourse", "all of them go on about", ""], ["mark", " ", ""], ["topic", "sea shanties", ""], ["mark", ", and ", ""], ["intent", "high tide", "tides"], ["joint", ", also ", ""], ["pair", "Ebb plus Flow", ""], ["joint", ", also ", ""], ["pair", "Castor and Pollux", ""], ["joint", ", also ", ""], ["intent", "low tide", "tides"], ["joint", ", also ", ""], ["condition", "if the harbour is shut", ""], ["mark", ", ", ""], ["consequence", "ring me", ""], ["mark", ", ", ""], ["intent", "harbour lights", "harbour"]]}','versus Jersey and Guernsey, also next ferry, also all of them go on about sea shanties, and high tide, also Ebb plus Flow, also Castor and Pollux, also low tide, also if the harbour is shut, ring me, harbour lights',1,'done','2026-11-21 23:57:17.442326','2026-11-21 23:57:17.537124','digest',6.40705330001765105407e+01,NULL,0,'','','[ALMANAC — THINGS KNOWN — NOT ABOUT TODAY]
Lock (security): A lock keeps a door shut for everybody without the key. The pin tumbler lock in most house doors goes back to Linus Yale, father and son, in the nineteenth century, and to wooden locks of ancient Egypt. A door is locked when its bolt stands in the frame.

---

[HARBOUR — BERTHS AND LIGHTS]
- Late goal sends the harbour side into the final (headlines) — Reported under sport.
- Bioluminescence (encyclopedia) — Bioluminescence is light made by living things, such as fireflies, some fungi and most animals of the deep sea.
- Photosynthesis (encyclopedia) — Photosynthesis is the way plants, algae and some bacteria turn light, water and carbon dioxide into sugar and oxygen.
- Lighthouse (encyclopedia) — A lighthouse is a tower with a strong light that marks a coast for ships.',853,'ac95ce597150e3ac11172b82384ac6aec5beba0e47ff5c5cdea520d8bc720aa6','part_lost: alone ''next ferry'' is answered by ferry; not among the others',1,1,1),
(2,'multi_intent_chain',1,'{"recipe": "multi_intent_chain", "parts": [["intent", "high tide", "tides"], ["joint", " and ", ""], ["intent", "next ferry", "ferry"], ["joint", " plus ", ""], ["intent", "berths free", "harbour"]]}','high tide and next ferry plus berths free',1,'done','2026-11-21 23:57:17.630603','2026-11-21 23:57:17.646189','tides',0.810254000043642,NULL,0,'','','- Iran (encyclopedia) — Iran is a country in western Asia between the Caspian Sea and the Persian Gulf, with Tehran as its capital.
- Mars (encyclopedia) — Mars is the fourth planet from the Sun, red from iron oxide.',220,'45faab4b4079b4f7216ff0990e95b90e46f9d2f08b2324ec5413816f9179b9c6','part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour',2,1,1),
(3,'condition_in_later_place',2,'{"recipe": "condition_in_later_place", "parts": [["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["intent", "low tide", "tides"], ["joint", " and ", ""], ["condition", "if the moon is full", ""], ["mark", ", ", ""], ["consequence", "ring me", ""], ["mark", ", ", ""], ["intent", "berths free", "harbour"]]}','next ferry, also low tide and if the moon is full, ring me, berths free',1,'done','2026-11-21 23:57:17.704625','2026-11-21 23:57:17.740727','digest',2.23180439998031943105e+01,NULL,0,'','','[FERRY — SAILINGS]
- Ferry timetable (harbour.example) — Boats leave every forty minutes; the last one waits for the last train.
- Ferry passengers stranded after ticket office could not connect to its bank (headlines) — Reported under technology.
- New tariffs on steel start next month (headlines) — Reported under business.
- Comet (encyclopedia) — A comet is a small body of ice and dust that grows a glowing head and tails when it comes near the Sun.

---

[ALMANAC — THINGS KNOWN — NOT ABOUT TODAY]
Moon: The Moon circles the Earth in about 27 days at a mean distance of 384,400 kilometres. It always turns the same side to us. Twelve people walked on it between 1969 and 1972.
Galileo Galilei: Galileo Galilei was an Italian astronomer who turned the telescope to the sky in 1609. He saw mountains on the Moon, the phases of Venus and four moons of Jupiter. In 1633 he was made to renounce the view that the Earth moves.
Tidal power: Tidal power makes electricity from the rise and fall of the sea. The plant on the Rance in France has run since 1966. Because the Moon keeps its times, the yield can be told years ahead.

---

[HARBOUR — BERTHS AND LIGHTS]
- Honey bee (encyclopedia) — The honey bee lives in colonies of tens of thousands with a single queen.
- Coffee (encyclopedia) — Coffee is a drink made from the roasted seeds of a shrub from Ethiopia.
- Bolivia (encyclopedia) — Bolivia is a landlocked country in South America.
- Bitcoin (encyclopedia) — Bitcoin is a digital currency whose ledger is kept by a network of computers without a central bank.',1593,'441bde3f6c86f3da2f0a817b0701b992580d1f8e8e185dcdbbf482ca9659ab72',NULL,3,1,1),
(4,'keywords_with_signs',3,'{"recipe": "keywords_with_signs", "parts": [["intent", "\"berths free\"", "harbour", "berths free"], ["joint", ", also ", ""], ["intent", "\"next ferry\"", "ferry", "next ferry"], ["joint", " plus ", ""], ["intent", "\"low tide\"", "tides", "low tide"]]}','"berths free", also "next ferry" plus "low tide"',1,'done','2026-11-21 23:57:17.768665','2026-11-21 23:57:17.789318','harbour',1.3838189997841254808e+00,NULL,0,'','','- Honey bee (encyclopedia) — The honey bee lives in colonies of tens of thousands with a single queen.
- Coffee (encyclopedia) — Coffee is a drink made from the roasted seeds of a shrub from Ethiopia.
- Bolivia (encyclopedia) — Bolivia is a landlocked country in South America.
- Bitcoin (encyclopedia) — Bitcoin is a digital currency whose ledger is kept by a network of computers without a central bank.',413,'aa955ebea98d4856f8ba56e7a04bc33104b538879cd0f275af427567c17c5177',NULL,4,1,1),
(5,'megaquery',4,'{"recipe": "megaquery", "parts": [["condition", "if the next ferry is late", ""], ["mark", ", ", ""], ["consequence", "ring me", ""], ["mark", ", ", ""], ["intent", "high tide", "tides"], ["joint", ", also ", ""], ["discourse", "all of them go on about", ""], ["mark", " ", ""], ["topic", "barnacles", ""], ["mark", ", and ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["nosplit", "compare", ""], ["mark", " ", ""], ["pair", "Ebb plus Flow", ""], ["joint", ", also ", ""], ["intent", "harbour lights", "harbour"], ["joint", ", also ", ""], ["pair", "Castor and Pollux", ""], ["joint", ", also ", ""], ["pair", "Jersey and Guernsey", ""], ["joint", ", also ", ""], ["intent", "berths free", "harbour"]]}','if the next ferry is late, ring me, high tide, also all of them go on about barnacles, and next ferry, also compare Ebb plus Flow, also harbour lights, also Castor and Pollux, also Jersey and Guernsey, also berths free',1,'done','2026-11-21 23:57:17.808419','2026-11-21 23:57:17.823206','digest',1.77929599976778263226e+00,NULL,0,'','','',0,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','unexpected_empty: the answer is blank',5,1,1),
(6,'keywords_in_other_case',0,'{"recipe": "keywords_in_other_case", "parts": [["intent", "HIGH TIDE", "tides", "high tide"], ["joint", " plus ", ""], ["intent", "BERTHS FREE", "harbour", "berths free"], ["joint", " and ", ""], ["intent", "Next Ferry", "ferry", "next ferry"]]}','HIGH TIDE plus BERTHS FREE and Next Ferry',1,'done','2026-11-21 23:57:18.342457','2026-11-21 23:57:18.372258','tides',7.02845999967394163832e-01,NULL,0,'','','- Iran (encyclopedia) — Iran is a country in western Asia between the Caspian Sea and the Persian Gulf, with Tehran as its capital.
- Mars (encyclopedia) — Mars is the fourth planet from the Sun, red from iron oxide.',220,'45faab4b4079b4f7216ff0990e95b90e46f9d2f08b2324ec5413816f9179b9c6','part_lost: alone ''berths free'' is answered by harbour; not among the others',6,2,1),
(7,'nested_proper_noun_pairs',1,'{"recipe": "nested_proper_noun_pairs", "parts": [["pair", "Castor and Pollux", ""], ["joint", ", also ", ""], ["pair", "Jersey and Guernsey", ""], ["joint", ", also ", ""], ["intent", "high tide", "tides"]]}','Castor and Pollux, also Jersey and Guernsey, also high tide',1,'done','2026-11-21 23:57:18.422707','2026-11-21 23:57:18.433513','almanac',8.0389200002173311077e-01,NULL,0,'','','Nothing to report.',18,'1d5e8f8b9206dc343edcc722b67ee74c435076491b869fad33f137822d312f5c','unexpected_empty: the answer is only ''nothing to report''',7,2,1),
(8,'very_long_input',2,'{"recipe": "very_long_input", "parts": [["topic", "narwhals", ""], ["mark", " ", ""], ["topic", "lighthouses", ""], ["mark", " narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses", ""], ["joint", " and ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["intent", "berths free", "harbour"]]}','narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses and next ferry, also berths free',1,'done','2026-11-21 23:57:18.487601','2026-11-21 23:57:18.505238','almanac',6.26489400019636377692e+00,NULL,0,'','','',0,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','unexpected_empty: the answer is blank',8,2,1),
(9,'multi_intent_chain',3,'{"recipe": "multi_intent_chain", "parts": [["intent", "low tide", "tides"], ["joint", " plus ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["intent", "harbour lights", "harbour"]]}','low tide plus next ferry, also harbour lights',1,'done','2026-11-21 23:57:18.602239','2026-11-21 23:57:18.614508','tides',1.2634089998755371198e+00,NULL,0,'','','',0,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour',9,2,1),
(10,'proper_noun_plus_pronoun_intent',4,'{"recipe": "proper_noun_plus_pronoun_intent", "parts": [["pair", "Ebb plus Flow", ""], ["joint", ", also ", ""], ["request", "I want to go out rowing", ""]]}','Ebb plus Flow, also I want to go out rowing',1,'done','2026-11-21 23:57:18.639343','2026-11-21 23:57:18.645444','almanac',8.30848000077821779996e-01,NULL,0,'','','',0,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','unexpected_empty: the answer is blank',10,2,1);
INSERT INTO "selftest_vocabularyversion" VALUES
(1,1,'{"name": "harbour office", "sources": {"tides": ["high tide", "low tide"], "ferry": ["next ferry"], "harbour": ["harbour lights", "berths free"]}, "conjunctions": [" and ", " plus ", ", also "], "nosplit_phrases": ["compare", "versus"], "discourse_phrases": ["all of them go on about"], "headers": {"almanac": "[ALMANAC \u2014 THINGS KNOWN \u2014 NOT ABOUT TODAY]", "tides": "[TIDES \u2014 HOURS AND HEIGHTS]", "ferry": "[FERRY \u2014 SAILINGS]", "harbour": "[HARBOUR \u2014 BERTHS AND LIGHTS]"}, "empty_phrases": ["nothing to report", "could not connect"], "encyclopedia": "almanac", "merged_source": "digest", "fallbacks": {"ferry": ["harbour"]}, "seeds": {"proper_noun_pairs": ["Castor and Pollux", "Ebb plus Flow", "Jersey and Guernsey"], "conditions": ["if the moon is full", "if the next ferry is late", "if the harbour is shut"], "consequences": ["ring me"], "pronoun_requests": ["I want to go out rowing", "I lost my next ferry ticket"], "discourse_topics": ["barnacles", "the high tide myth", "sea shanties"], "open_topics": ["narwhals", "knots", "tide mills", "lighthouses", "whalebone"]}}','dd0d682049944194033b48eb36a62d6d1e7692f3d2773e48ee106df37a523b75','{"condition:if the harbour is shut": 1, "condition:if the moon is full": 1, "condition:if the next ferry is late": 1, "consequence:ring me": 1, "discourse:all of them go on about": 1, "intent:ferry:\"next ferry\"": 1, "intent:ferry:(next ferry)": 1, "intent:ferry:NEXT FERRY": 1, "intent:ferry:Next Ferry": 1, "intent:ferry:nExT FeRrY": 1, "intent:ferry:next ferry": 1, "intent:ferry:next ferry!": 1, "intent:ferry:next ferry?": 1, "intent:ferry:next ferry\u2026": 1, "intent:ferry:\u00abnext ferry\u00bb": 1, "intent:ferry:\u201cnext ferry\u201d": 1, "intent:harbour:\"berths free\"": 1, "intent:harbour:\"harbour lights\"": 1, "intent:harbour:(berths free)": 1, "intent:harbour:(harbour lights)": 1, "intent:harbour:BERTHS FREE": 1, "intent:harbour:Berths Free": 1, "intent:harbour:HARBOUR LIGHTS": 1, "intent:harbour:Harbour Lights": 1, "intent:harbour:bErThS FrEe": 1, "intent:harbour:berths free": 1, "intent:harbour:berths free!": 1, "intent:harbour:berths free?": 1, "intent:harbour:berths free\u2026": 1, "intent:harbour:hArBoUr lIgHtS": 1, "intent:harbour:harbour lights": 1, "intent:harbour:harbour lights!": 1, "intent:harbour:harbour lights?": 1, "intent:harbour:harbour lights\u2026": 1, "intent:harbour:\u00abberths free\u00bb": 1, "intent:harbour:\u00abharbour lights\u00bb": 1, "intent:harbour:\u201cberths free\u201d": 1, "intent:harbour:\u201charbour lights\u201d": 1, "intent:tides:\"high tide\"": 1, "intent:tides:\"low tide\"": 1, "intent:tides:(high tide)": 1, "intent:tides:(low tide)": 1, "intent:tides:HIGH TIDE": 1, "intent:tides:High Tide": 1, "intent:tides:LOW TIDE": 1, "intent:tides:Low Tide": 1, "intent:tides:hIgH TiDe": 1, "intent:tides:high tide": 1, "intent:tides:high tide!": 1, "intent:tides:high tide?": 1, "intent:tides:high tide\u2026": 1, "intent:tides:lOw tIdE": 1, "intent:tides:low tide": 1, "intent:tides:low tide!": 1, "intent:tides:low tide?": 1, "intent:tides:low tide\u2026": 1, "intent:tides:\u00abhigh tide\u00bb": 1, "intent:tides:\u00ablow tide\u00bb": 1, "intent:tides:\u201chigh tide\u201d": 1, "intent:tides:\u201clow tide\u201d": 1, "joint: and ": 1, "joint: plus ": 1, "joint:, also ": 1, "lookalike:berths\u00a0free": 1, "lookalike:be\u200brths free": 1, "lookalike:b\u0435rths fr\u0435\u0435": 1, "lookalike:harbour\u00a0lights": 1, "lookalike:ha\u200brbour lights": 1, "lookalike:high\u00a0tide": 1, "lookalike:hi\u200bgh tide": 1, "lookalike:h\u0430rb\u043eur l\u0456ghts": 1, "lookalike:h\u0456gh t\u0456d\u0435": 1, "lookalike:low\u00a0tide": 1, "lookalike:lo\u200bw tide": 1, "lookalike:l\u043ew t\u0456d\u0435": 1, "lookalike:next\u00a0ferry": 1, "lookalike:ne\u200bxt ferry": 1, "lookalike:n\u0435\u0445t f\u0435rr\u0443": 1, "lookalike:\uff42\uff45\uff52\uff54\uff48\uff53 \uff46\uff52\uff45\uff45": 1, "lookalike:\uff48\uff41\uff52\uff42\uff4f\uff55\uff52 \uff4c\uff49\uff47\uff48\uff54\uff53": 1, "lookalike:\uff48\uff49\uff47\uff48 \uff54\uff49\uff44\uff45": 1, "lookalike:\uff4c\uff4f\uff57 \uff54\uff49\uff44\uff45": 1, "lookalike:\uff4e\uff45\uff58\uff54 \uff46\uff45\uff52\uff52\uff59": 1, "nosplit:compare": 1, "nosplit:versus": 1, "pair:Castor and Pollux": 1, "pair:Ebb plus Flow": 1, "pair:Jersey and Guernsey": 1, "request:I lost my next ferry ticket": 1, "request:I want to go out rowing": 1, "topic:barnacles": 1, "topic:knots": 1, "topic:lighthouses": 1, "topic:narwhals": 1, "topic:sea shanties": 1, "topic:tide mills": 1, "topic:whalebone": 1}',1,0,'2026-11-21 23:57:17.001268',NULL,1);
INSERT INTO "selftest_ingredient" VALUES
(1,'condition:if the harbour is shut','7cb29541710c18920a22d5737708f5a3b1f8e2d4137b24849ac201f09bf92b0a'),
(2,'consequence:ring me','2f87854b434f9414ec6f9502cf271caa0936ae9a5cfb600e965aadc610b6b35d'),
(3,'discourse:all of them go on about','18b21488d1b499cc5d4a107f5500a0ca18b008659cbf44a19e730bb7f58454be'),
(4,'intent:ferry:next ferry','015fc6c7cadb31e24d65f14ffc32d2a2a81b6555751bd55dc237d082775b036e'),
(5,'intent:harbour:harbour lights','cdeee7c1c33b2f564a44b1f33d55d801b3c2c63b14d3a1037e631e2a17cfb4b1'),
(6,'intent:tides:high tide','2431e065b514788b49e89484940543815bdc8884c59d9d98d3084ebcef7b0653'),
(7,'intent:tides:low tide','fb2dfd52553552f2e837fadcb519c7322acb24f7061ee144ac6aac1b7c1940dd'),
(8,'joint:, also ','eb57fb2add1a5309b36d43d35294ce0e409cde18feb8f785a8383d961a80f1d6'),
(9,'nosplit:versus','7fce756ddb4797d0df6c4571c69e9597b047298b3e2c869c0f9d3d4825ab188d'),
(10,'pair:Castor and Pollux','abf18bbf572b114a0f471ad315c93759d3156ec65f67c1000c8d3eb6c032e24f'),
(11,'pair:Ebb plus Flow','1fa1bb118ae30808cf1a51dcb272cb8034900cf600f9260ec457f84cc94cec3f'),
(12,'pair:Jersey and Guernsey','6b91f8456919ec80ebc5d9aba7b55314811a608263d5f8426c65df43148967a2'),
(13,'topic:sea shanties','5cddc93ebd20b2d6666aa2dce6a1355f4436de05536bd3a4e87f1ab93f7a6422'),
(14,'intent:harbour:berths free','051bfdb39562c580b9e8c6e57b4b5ee5198401f42c4b312b345b0dde05ac075d'),
(15,'joint: and ','7b9fa53aaec7bf7da76d691c0b3a5391bd01d07c730642209ff41cac8d8f373e'),
(16,'joint: plus ','6f1ed4acba60f37b5c67b2bc6f821b345be16923d3639939f30d1a0ba98f7803'),
(17,'condition:if the next ferry is late','cbfc42900864b09c29b8f064e4cc4a57203b1e434b0a0ccdc37ccac44b389e47'),
(18,'nosplit:compare','6d5ad38b1ed3f6396137673f4760afa0649686e637ef3467d6dd3d856c02b561'),
(19,'topic:barnacles','d5cab620f7b025f85a1c4203315fb7f747c37df406b65a16e0b42645c8b23e0a'),
(20,'intent:tides:"low tide"','165fa72cbcb545e4fcb0d44b8fa94866d9040f229ae3a8e413f332ae81bddf4e'),
(21,'intent:ferry:"next ferry"','4050a8fcdd4864c8e491e4e1978c983f4a5c6e663b1cb81f3e78b4890fd39a97'),
(22,'condition:if the moon is full','87d975448850bbb708280612054a8ba2e7a911c5aea0f226889645d6b895c8ad'),
(23,'intent:harbour:"berths free"','bdcc87616e10bb1239eb7167554dc11e0e9276a1e86faf90e2ca438636008ce1'),
(24,'intent:ferry:Next Ferry','de51b35c736d29eab84b88e6680c074169ba97aa8f7e5085825c2ff8cc566931'),
(25,'intent:harbour:BERTHS FREE','c9882fbf274fa09e532aa88daa1e707c4c184625e4cd3b86dccabdc026462b85'),
(26,'intent:tides:HIGH TIDE','acdffa5c9773e677e281831d94379d0d5cfcfa3498ac8d7121b76ec9b70eed6f'),
(27,'topic:lighthouses','5190a233ec64d388ab055ad8a4d2cff7fb383675198085e544f2c5b807b3e9c0'),
(28,'topic:narwhals','af3f54c46ca7f97bf1d3d38f9c891c9bbcf1450cf48eaac310154ca6df08921a'),
(29,'request:I want to go out rowing','27d0780f44c0544c21ddee2b749c47773b580933a280385dece4286cece86551');
INSERT INTO "selftest_combination" VALUES
(1,'["condition:if the harbour is shut", "consequence:ring me", "discourse:all of them go on about", "intent:ferry:next ferry", "intent:harbour:harbour lights", "intent:tides:high tide", "intent:tides:low tide", "joint:, also ", "joint:, also ", "joint:, also ", "joint:, also ", "joint:, also ", "joint:, also ", "nosplit:versus", "pair:Castor and Pollux", "pair:Ebb plus Flow", "pair:Jersey and Guernsey", "topic:sea shanties"]','4a2e8c3048517fe395d3464a9b4aef657c564fff81e59f13675404fe6c5ba68a','megaquery','{"recipe": "megaquery", "parts": [["nosplit", "versus", ""], ["mark", " ", ""], ["pair", "Jersey and Guernsey", ""], ["joint", ", also ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["discourse", "all of them go on about", ""], ["mark", " ", ""], ["topic", "sea shanties", ""], ["mark", ", and ", ""], ["intent", "high tide", "tides"], ["joint", ", also ", ""], ["pair", "Ebb plus Flow", ""], ["joint", ", also ", ""], ["pair", "Castor and Pollux", ""], ["joint", ", also ", ""], ["intent", "low tide", "tides"], ["joint", ", also ", ""], ["condition", "if the harbour is shut", ""], ["mark", ", ", ""], ["consequence", "ring me", ""], ["mark", ", ", ""], ["intent", "harbour lights", "harbour"]]}',1,'2026-11-21 23:57:17.150395','versus Jersey and Guernsey, also next ferry, also all of them go on about sea shanties, and high tide, also Ebb plus Flow, also Castor and Pollux, also low tide, also if the harbour is shut, ring me, harbour lights','digest',6.40705330001765105407e+01,'part_lost: alone ''next ferry'' is answered by ferry; not among the others','2026-11-21 23:57:17.537124','[ALMANAC — THINGS KNOWN — NOT ABOUT TODAY]
Lock (security): A lock keeps a door shut for everybody without the key. The pin tumbler lock in most house doors goes back to Linus Yale, father and son, in the nineteenth century, and to wooden locks of ancient Egypt. A door is locked when its bolt stands in the frame.

---

[HARBOUR — BERTHS AND LIGHTS]
- Late goal sends the harbour side into the final (headlines) — Reported under sport.
- Bioluminescence (encyclopedia) — Bioluminescence is light mad',1,1,'part_lost: alone ''next ferry'' is answered by ferry; not among the others','2026-11-21 23:57:17.537124','dismissed',1,1,1,'part_lost',NULL,NULL,1,13),
(2,'["intent:ferry:next ferry", "intent:harbour:berths free", "intent:tides:high tide", "joint: and ", "joint: plus "]','b07cd075fea6f93be474a3e0bcd8cc38559a027dca1a9f3b05d9cee959d1acf7','multi_intent_chain','{"recipe": "multi_intent_chain", "parts": [["intent", "high tide", "tides"], ["joint", " and ", ""], ["intent", "next ferry", "ferry"], ["joint", " plus ", ""], ["intent", "berths free", "harbour"]]}',1,'2026-11-21 23:57:17.150395','high tide and next ferry plus berths free','tides',0.810254000043642,'part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','2026-11-21 23:57:17.646189','- Iran (encyclopedia) — Iran is a country in western Asia between the Caspian Sea and the Persian Gulf, with Tehran as its capital.
- Mars (encyclopedia) — Mars is the fourth planet from the Sun, red from iron oxide.',1,1,'part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','2026-11-21 23:57:17.646189',NULL,2,2,1,'part_count_mismatch','2026-11-21 23:57:18.971278',1,1,4),
(3,'["condition:if the moon is full", "consequence:ring me", "intent:ferry:next ferry", "intent:harbour:berths free", "intent:tides:low tide", "joint: and ", "joint:, also "]','6460d4db20f758b2477e0d48e5995292a8171813f0385fbcb6cecd4ea4276197','condition_in_later_place','{"recipe": "condition_in_later_place", "parts": [["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["intent", "low tide", "tides"], ["joint", " and ", ""], ["condition", "if the moon is full", ""], ["mark", ", ", ""], ["consequence", "ring me", ""], ["mark", ", ", ""], ["intent", "berths free", "harbour"]]}',1,'2026-11-21 23:57:17.150395','next ferry, also low tide and if the moon is full, ring me, berths free','digest',2.23180439998031943105e+01,NULL,'2026-11-21 23:57:17.740727',NULL,0,0,NULL,NULL,NULL,NULL,3,1,'',NULL,NULL,0,NULL),
(4,'["intent:ferry:\"next ferry\"", "intent:harbour:\"berths free\"", "intent:tides:\"low tide\"", "joint: plus ", "joint:, also "]','794002f5211bee2c62d5d9f0d9d92244c0c191949729f0b23743d2c552239bb7','keywords_with_signs','{"recipe": "keywords_with_signs", "parts": [["intent", "\"berths free\"", "harbour", "berths free"], ["joint", ", also ", ""], ["intent", "\"next ferry\"", "ferry", "next ferry"], ["joint", " plus ", ""], ["intent", "\"low tide\"", "tides", "low tide"]]}',1,'2026-11-21 23:57:17.150395','"berths free", also "next ferry" plus "low tide"','harbour',1.3838189997841254808e+00,NULL,'2026-11-21 23:57:17.789318',NULL,0,0,NULL,NULL,NULL,NULL,4,1,'',NULL,NULL,0,NULL),
(5,'["condition:if the next ferry is late", "consequence:ring me", "discourse:all of them go on about", "intent:ferry:next ferry", "intent:harbour:berths free", "intent:harbour:harbour lights", "intent:tides:high tide", "joint:, also ", "joint:, also ", "joint:, also ", "joint:, also ", "joint:, also ", "joint:, also ", "nosplit:compare", "pair:Castor and Pollux", "pair:Ebb plus Flow", "pair:Jersey and Guernsey", "topic:barnacles"]','58bf061774f7126ce677f14a67687c00352ada81187323ee86edada12b7a41fe','megaquery','{"recipe": "megaquery", "parts": [["condition", "if the next ferry is late", ""], ["mark", ", ", ""], ["consequence", "ring me", ""], ["mark", ", ", ""], ["intent", "high tide", "tides"], ["joint", ", also ", ""], ["discourse", "all of them go on about", ""], ["mark", " ", ""], ["topic", "barnacles", ""], ["mark", ", and ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["nosplit", "compare", ""], ["mark", " ", ""], ["pair", "Ebb plus Flow", ""], ["joint", ", also ", ""], ["intent", "harbour lights", "harbour"], ["joint", ", also ", ""], ["pair", "Castor and Pollux", ""], ["joint", ", also ", ""], ["pair", "Jersey and Guernsey", ""], ["joint", ", also ", ""], ["intent", "berths free", "harbour"]]}',1,'2026-11-21 23:57:17.150395','if the next ferry is late, ring me, high tide, also all of them go on about barnacles, and next ferry, also compare Ebb plus Flow, also harbour lights, also Castor and Pollux, also Jersey and Guernsey, also berths free','digest',1.77929599976778263226e+00,'unexpected_empty: the answer is blank','2026-11-21 23:57:17.823206','',1,1,'unexpected_empty: the answer is blank','2026-11-21 23:57:17.823206',NULL,5,5,1,'unexpected_empty',NULL,NULL,1,4),
(6,'["intent:ferry:Next Ferry", "intent:harbour:BERTHS FREE", "intent:tides:HIGH TIDE", "joint: and ", "joint: plus "]','feeffafc6cc9a3b02d2748059a488379d47898dd253a6102e1c392d685519487','keywords_in_other_case','{"recipe": "keywords_in_other_case", "parts": [["intent", "HIGH TIDE", "tides", "high tide"], ["joint", " plus ", ""], ["intent", "BERTHS FREE", "harbour", "berths free"], ["joint", " and ", ""], ["intent", "Next Ferry", "ferry", "next ferry"]]}',1,'2026-11-21 23:57:18.221636','HIGH TIDE plus BERTHS FREE and Next Ferry','tides',7.02845999967394163832e-01,'part_lost: alone ''berths free'' is answered by harbour; not among the others','2026-11-21 23:57:18.372258','- Iran (encyclopedia) — Iran is a country in western Asia between the Caspian Sea and the Persian Gulf, with Tehran as its capital.
- Mars (encyclopedia) — Mars is the fourth planet from the Sun, red from iron oxide.',1,1,'part_lost: alone ''berths free'' is answered by harbour; not among the others','2026-11-21 23:57:18.372258',NULL,6,6,1,'part_lost',NULL,NULL,1,24),
(7,'["intent:tides:high tide", "joint:, also ", "joint:, also ", "pair:Castor and Pollux", "pair:Jersey and Guernsey"]','caaad5ab25f35f35f2f9312ae6837aef7e3ea0a3b44115eb3dc46fefa78b4b9e','nested_proper_noun_pairs','{"recipe": "nested_proper_noun_pairs", "parts": [["pair", "Castor and Pollux", ""], ["joint", ", also ", ""], ["pair", "Jersey and Guernsey", ""], ["joint", ", also ", ""], ["intent", "high tide", "tides"]]}',1,'2026-11-21 23:57:18.221636','Castor and Pollux, also Jersey and Guernsey, also high tide','almanac',8.0389200002173311077e-01,'unexpected_empty: the answer is only ''nothing to report''','2026-11-21 23:57:18.433513','Nothing to report.',1,1,'unexpected_empty: the answer is only ''nothing to report''','2026-11-21 23:57:18.433513',NULL,7,7,1,'unexpected_empty',NULL,NULL,1,10),
(8,'["intent:ferry:next ferry", "intent:harbour:berths free", "joint: and ", "joint:, also ", "topic:lighthouses", "topic:narwhals"]','492823bebd6d448e1167004363f37f5d740cf2224dbebaa0e7a1045049b7c5d4','very_long_input','{"recipe": "very_long_input", "parts": [["topic", "narwhals", ""], ["mark", " ", ""], ["topic", "lighthouses", ""], ["mark", " narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses", ""], ["joint", " and ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["intent", "berths free", "harbour"]]}',1,'2026-11-21 23:57:18.221636','narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses narwhals lighthouses and next ferry, also berths free','almanac',6.26489400019636377692e+00,'unexpected_empty: the answer is blank','2026-11-21 23:57:18.505238','',1,1,'unexpected_empty: the answer is blank','2026-11-21 23:57:18.505238',NULL,8,8,1,'unexpected_empty',NULL,NULL,1,4),
(9,'["intent:ferry:next ferry", "intent:harbour:harbour lights", "intent:tides:low tide", "joint: plus ", "joint:, also "]','ab1e5e9b2e947e5f526c9c4917ef358ee18fb1354723a586ece8e9226a3b5dd5','multi_intent_chain','{"recipe": "multi_intent_chain", "parts": [["intent", "low tide", "tides"], ["joint", " plus ", ""], ["intent", "next ferry", "ferry"], ["joint", ", also ", ""], ["intent", "harbour lights", "harbour"]]}',1,'2026-11-21 23:57:18.221636','low tide plus next ferry, also harbour lights','tides',1.2634089998755371198e+00,'part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','2026-11-21 23:57:18.614508','',1,1,'part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','2026-11-21 23:57:18.614508',NULL,9,9,1,'part_count_mismatch',NULL,NULL,1,4),
(10,'["joint:, also ", "pair:Ebb plus Flow", "request:I want to go out rowing"]','5a5c63a5edc37f03ea332c2e5dfa0666311518453d50ece654a2ea27f9c99e68','proper_noun_plus_pronoun_intent','{"recipe": "proper_noun_plus_pronoun_intent", "parts": [["pair", "Ebb plus Flow", ""], ["joint", ", also ", ""], ["request", "I want to go out rowing", ""]]}',1,'2026-11-21 23:57:18.221636','Ebb plus Flow, also I want to go out rowing','almanac',8.30848000077821779996e-01,'unexpected_empty: the answer is blank','2026-11-21 23:57:18.645444','',1,1,'unexpected_empty: the answer is blank','2026-11-21 23:57:18.645444',NULL,10,10,1,'unexpected_empty',NULL,NULL,1,11);
INSERT INTO "selftest_combination_ingredients" VALUES
(1,1,1),
(2,1,2),
(3,1,3),
(4,1,4),
(5,1,5),
(6,1,6),
(7,1,7),
(8,1,8),
(9,1,9),
(10,1,10),
(11,1,11),
(12,1,12),
(13,1,13),
(14,2,4),
(15,2,6),
(16,2,14),
(17,2,15),
(18,2,16),
(19,5,2),
(20,5,3),
(21,5,4),
(22,5,5),
(23,5,6),
(24,5,8),
(25,5,10),
(26,5,11),
(27,5,12),
(28,5,14),
(29,5,17),
(30,5,18),
(31,5,19),
(32,6,15),
(33,6,16),
(34,6,24),
(35,6,25),
(36,6,26),
(37,7,8),
(38,7,10),
(39,7,12),
(40,7,6),
(41,8,4),
(42,8,8),
(43,8,14),
(44,8,15),
(45,8,27),
(46,8,28),
(47,9,4),
(48,9,5),
(49,9,7),
(50,9,8),
(51,9,16),
(52,10,8),
(53,10,11),
(54,10,29);
INSERT INTO "selftest_ingredienttally" VALUES
(1,'',1,1,1),
(2,'',3,2,1),
(3,'',2,3,1),
(4,'',6,4,1),
(5,'',3,5,1),
(6,'',4,6,1),
(7,'',3,7,1),
(8,'',8,8,1),
(9,'',1,9,1),
(10,'',3,10,1),
(11,'',3,11,1),
(12,'',3,12,1),
(13,'',1,13,1),
(14,'',4,14,1),
(15,'',4,15,1),
(16,'',4,16,1),
(17,'',1,22,1),
(18,'',1,20,1),
(19,'',1,21,1),
(20,'',1,23,1),
(21,'',1,17,1),
(22,'',1,18,1),
(23,'',1,19,1),
(24,'part_lost',1,1,1),
(25,'part_lost',1,2,1),
(26,'part_lost',1,3,1),
(27,'part_lost',1,4,1),
(28,'part_lost',1,5,1),
(29,'part_lost',1,6,1),
(30,'part_lost',1,7,1),
(31,'part_lost',1,8,1),
(32,'part_lost',1,9,1),
(33,'part_lost',1,10,1),
(34,'part_lost',1,11,1),
(35,'part_lost',1,12,1),
(36,'part_lost',1,13,1),
(37,'part_count_mismatch',2,4,1),
(38,'part_count_mismatch',1,6,1),
(39,'part_count_mismatch',1,14,1),
(40,'part_count_mismatch',1,15,1),
(41,'part_count_mismatch',2,16,1),
(42,'unexpected_empty',1,2,1),
(43,'unexpected_empty',1,3,1),
(44,'unexpected_empty',3,4,1),
(45,'unexpected_empty',2,5,1),
(46,'unexpected_empty',2,6,1),
(47,'unexpected_empty',5,8,1),
(48,'unexpected_empty',2,10,1),
(49,'unexpected_empty',2,11,1),
(50,'unexpected_empty',2,12,1),
(51,'unexpected_empty',2,14,1),
(52,'unexpected_empty',1,17,1),
(53,'unexpected_empty',1,18,1),
(54,'unexpected_empty',1,19,1),
(57,'',1,24,1),
(58,'',1,25,1),
(59,'',1,26,1),
(66,'',1,27,1),
(67,'',1,28,1),
(71,'',1,29,1),
(72,'part_lost',1,15,1),
(73,'part_lost',1,16,1),
(74,'part_lost',1,24,1),
(75,'part_lost',1,25,1),
(76,'part_lost',1,26,1),
(83,'unexpected_empty',1,15,1),
(84,'unexpected_empty',1,27,1),
(85,'unexpected_empty',1,28,1),
(87,'unexpected_empty',1,7,1),
(88,'unexpected_empty',1,16,1),
(90,'unexpected_empty',1,29,1),
(92,'part_count_mismatch',1,5,1),
(93,'part_count_mismatch',1,7,1),
(94,'part_count_mismatch',1,8,1);
INSERT INTO "selftest_recipetally" VALUES
(1,'megaquery','','2026-11-21',2,2,2,1),
(2,'megaquery','part_lost','2026-11-21',1,0,0,1),
(3,'multi_intent_chain','','2026-11-21',2,2,2,1),
(4,'multi_intent_chain','part_count_mismatch','2026-11-21',2,0,0,1),
(5,'condition_in_later_place','','2026-11-21',1,0,1,1),
(6,'keywords_with_signs','','2026-11-21',1,0,1,1),
(7,'megaquery','unexpected_empty','2026-11-21',1,0,0,1),
(8,'keywords_in_other_case','','2026-11-21',1,1,1,1),
(9,'keywords_in_other_case','part_lost','2026-11-21',1,0,0,1),
(10,'nested_proper_noun_pairs','','2026-11-21',1,1,1,1),
(11,'nested_proper_noun_pairs','unexpected_empty','2026-11-21',1,0,0,1),
(12,'very_long_input','','2026-11-21',1,1,1,1),
(13,'very_long_input','unexpected_empty','2026-11-21',1,0,0,1),
(14,'multi_intent_chain','unexpected_empty','2026-11-21',1,0,0,1),
(15,'proper_noun_plus_pronoun_intent','','2026-11-21',1,1,1,1),
(16,'proper_noun_plus_pronoun_intent','unexpected_empty','2026-11-21',1,0,0,1);
DELETE FROM "selftest_combination_words_data";
INSERT INTO "selftest_combination_words_data" VALUES
(1,X'0A820D'),
(10,X'000000000102020002010101020101'),
(137438953473,X'0000056B063061626F7574010402026C6C01040302736F0102010102026E640101010201096261726E61636C65730502056572746873020101010106636173746F72010402066F6D70617265050103656262010401056665727279010101010102036C6F7701040203726565020101010203756C6C030102676F010402077565726E73657901040107686172626F7572010402036967680101030102696601020202017301020201066A6572736579010401046C6174650502056967687473010402026F7701020101026D6501020202036F6F6E0301046E657874010101010101026F66010402016E01040104706C75730101020102056F6C6C75780104010472696E67010202010373656101020768616E74696573010302757401010374686501020204016D01040203696465010101010101067665727375730100023161010101010101016202010101010163010401016501040101660101010101010167010401016801010301016901020201016A010401016C0102010101016D01020201016E010101010101016F010401017001010201010172010202010173010101740101010101010176010003326162010402016C0102010102016E0101010201026261050201650201010101026361010402016F0501026562010401026665010101010102016C010402017202010101020175030102676F010402017501040102686101040201690101030102696601020202017301020201026A65010401026C6105020169010402016F01020101026D6501020202016F0301026E65010101010101026F66010402016E01040102706C0101020102016F010401027269010202010273650102016801010274680102020201690101010101010276650100043361626F010402026C6C01040301730102010102026E640101010201036261720502026572020101010103636173010402026F6D05010365626201040103666572010101010102026C6F010402027265020101010202756C0301036775650104010368617201040202696701010301036A6572010401036C61740502026967010402026F7701020101036D6F6F0301036E657801010101010103706C750101020102026F6C0104010372696E010202010373656101020268610103017501010374686501020202026964010101010101037665720100053461626F75010402036C736F0102010101046261726E05020365727402010101010463617374010402036F6D7005010466657272010101010102036C6F7701040203726565020101010203756C6C0301046775657201040104686172620104020369676801010301046A657273010401046C617465050203696768010401046D6F6F6E0301046E65787401010101010104706C75730101020102036F6C6C0104010472696E6701020201047368616E01030275740101047468656D0104020369646501010101010104766572730100063561626F7574010401056261726E6105020465727468020101010105636173746F010402046F6D7061050105666572727901010101010105677565726E01040105686172626F010401056A65727365010401056C6967687401040105706F6C6C75010401057368616E740101057665727375010007366261726E61630502056572746873020101010106636173746F72010402056F6D706172050106677565726E7301040106686172626F75010401066A6572736579010401066C696768747301040106706F6C6C7578010401067368616E7469010106766572737573010008376261726E61636C050107636F6D70617265050107677565726E736501040107686172626F7572010401077368616E746965010009386261726E61636C65050108677565726E736579010401087368616E7469657301000A396261726E61636C65730504090608080C0B0A09070C070906060B0B0807060A07090707060B06050A0909060A0508050A0909070505080506060507060805070604080407070705070604060905070406050606070606050506070409060508050705040708050806070806080705070A06080507070707060607060A0906080605040809060909070908060B070906080808080707070B0A07090705080A070A080A09070C090909090908080A0B0A080A0A0A0A0A09090B0A0B0B0A0C0C0B'),
(274877906945,X'000003D00530616C736F0701010102026E64060101010662657274687306020106636173746F720701036562620A0105666572727906020102036C6F770A020372656506020102676F0A02077565726E736579070107686172626F757209020369676806010101690A01066A657273657907010B6C69676874686F75736573080601730902026F770901086E61727768616C7308020365787406020101036F75740A0104706C757306030102056F6C6C7578070106726F77696E670A01047469646506010202016F0A010477616E740A0002316106010101010101620602010163070101650A0101660602010101016707030101680601020101690A01016A0701016C080101016E06020101016F0A010170060102010101720A010174060102010101770A000332616C0701010102016E0601010102626506020102636107010265620A0102666506020102016C0A02017206020102676F0A020175070102686109020169060101026A650701026C69080102016F0901026E610802016506020101026F750A0102706C06030102016F070102726F0A0102746906010202016F0A010277610A000433616C730701010102026E640601010103626572060201036361730701036562620A010366657206020102026C6F0A02027265060201036775650701036861720902026967060101036A65720701036C6967080102026F770901036E6172080202657806020101036F75740A0103706C7506030102026F6C070103726F770A0103746964060102010377616E0A000534616C736F0701010101046265727406020104636173740701046665727206020102036C6F770A0203726565060201046775657207010468617262090203696768060101046A6572730701046C696768080101046E6172770802036578740602010104706C757306030102036F6C6C070104726F77690A010474696465060102010477616E740A000635626572746806020105636173746F07010566657272790602010105677565726E070105686172626F0901056A657273650701056C69676874080101056E61727768080105706F6C6C75070105726F77696E0A00073662657274687306020106636173746F72070106677565726E73070106686172626F750901066A65727365790701066C6967687468080601730901066E6172776861080106706F6C6C7578070106726F77696E670A000837677565726E7365070107686172626F75720901076C69676874686F0801076E61727768616C08000938677565726E7365790701086C69676874686F750801086E61727768616C7308000A396C69676874686F757308000B3A6C69676874686F75736508040A070A09060A0607050A0A0704090E04050B0806090809090407090504040705060404050604070407040906060505070405050405050506040506050704050704050A0707060608050606060606070506070608050608060B08070906070707070708070809060709070A080A080808090808080B0909090909040909090B0A0A0A0C0B0B0D');
DELETE FROM "selftest_combination_words_idx";
INSERT INTO "selftest_combination_words_idx" VALUES
(1,X'',2),
(2,X'',2);
DELETE FROM "selftest_combination_words_docsize";
INSERT INTO "selftest_combination_words_docsize" VALUES
(1,X'28'),
(2,X'08'),
(3,X'0F'),
(4,X'08'),
(5,X'28'),
(6,X'08'),
(7,X'0A'),
(8,X'7A'),
(9,X'08'),
(10,X'0A');
DELETE FROM "selftest_combination_words_config";
INSERT INTO "selftest_combination_words_config" VALUES
('version',4);
DELETE FROM "selftest_flagged_words_data";
INSERT INTO "selftest_flagged_words_data" VALUES
(1,X'088176'),
(10,X'000000000108080008010101020101030101040101050101060101070101080101'),
(137438953473,X'0000036B063061626F75740102026C6C010302736F0102026E64010106636173746F7201010365626201010566657272790102036C6F77010102676F0102077565726E736579010107686172626F75720102036967680101026966010201730101066A65727365790101066C69676874730102026F770101026D650101046E6578740101026F660102016E010104706C75730102056F6C6C757801010472696E6701010373656101020768616E7469657301030275740101037468650104016D01020369646501010676657273757301000231610101016301010165010101660101016701010168010101690101016A0101016C0101016D0101016E0101016F01010170010101720101017301010174010101760100033261620102016C0102016E0101026361010102656201010266650102016C010102676F010201750101026861010201690101026966010201730101026A650101026C690102016F0101026D650101026E650101026F660102016E010102706C0102016F010102726901010273650102016801010274680102016901010276650100043361626F0102026C6C010301730102026E640101036361730101036562620101036665720102026C6F01010367756501010368617201020269670101036A65720101036C69670102026F770101036E6578010103706C750102026F6C01010372696E01010373656101020268610103017501010374686501020269640101037665720100053461626F750102036C736F01010463617374010104666572720102036C6F7701010467756572010104686172620102036967680101046A6572730101046C6967680101046E657874010104706C75730102036F6C6C01010472696E670101047368616E01030275740101047468656D010203696465010104766572730100063561626F7574010105636173746F0101056665727279010105677565726E010105686172626F0101056A657273650101056C69676874010105706F6C6C750101057368616E74010105766572737501000736636173746F72010106677565726E73010106686172626F750101066A65727365790101066C6967687473010106706F6C6C75780101067368616E746901010676657273757301000837677565726E7365010107686172626F75720101077368616E74696501000938677565726E7365790101087368616E7469657301040805050509060806050A0A06050409090505070504070807060A050604060905040404040404040404040404040404040604040505050405040504050405050405050504050405050405040507050405060606050606050606050606050606050406050608060707060707060707070706070705070607090808080808080808080A090909090909090B0A0A0C'),
(274877906945,X'000000FE0430616E640201066265727468730201056665727279020203726565020104686967680201046E657874020104706C75730201047469646502000231610201016202010166020101680201016E020101700201017402000332616E020102626502010266650202017202010268690201026E65020102706C020102746902000433616E6402010362657202010366657202020272650201036869670201036E6578020103706C75020103746964020005346265727402010466657272020203726565020104686967680201046E657874020104706C757302010474696465020006356265727468020105666572727902000736626572746873020406090806070707070504040404040406050504050505050706060506060606080706070707070908'),
(412316860417,X'000003A0063061626F75740502026C6C050302736F0502026E640501096261726E61636C65730502056572746873050106636173746F720502066F6D7061726505010365626205010566657272790502036C6F77050203726565050102676F0502077565726E736579050107686172626F75720502036967680501026966050201730501066A65727365790501046C61746505020569676874730501026D650501046E6578740501026F660502016E050104706C75730502056F6C6C757805010472696E670501037468650504016D0502036964650500023161050101620501016305010165050101660501016705010168050101690501016A0501016C0501016D0501016E0501016F0501017005010172050101740500033261620502016C0502016E05010262610502016505010263610502016F050102656205010266650502016C05020172050102676F050201750501026861050201690501026966050201730501026A650501026C61050201690501026D650501026E650501026F660502016E050102706C0502016F05010272690501027468050201690500043361626F0502026C6C050301730502026E6405010362617205020265720501036361730502026F6D0501036562620501036665720502026C6F050202726505010367756505010368617205020269670501036A65720501036C617405020269670501036E6578050103706C750502026F6C05010372696E05010374686505020269640500053461626F750502036C736F0501046261726E050203657274050104636173740502036F6D70050104666572720502036C6F7705020372656505010467756572050104686172620502036967680501046A6572730501046C6174650502036967680501046E657874050104706C75730502036F6C6C05010472696E670501047468656D0502036964650500063561626F75740501056261726E6105020465727468050105636173746F0502046F6D70610501056665727279050105677565726E050105686172626F0501056A657273650501056C69676874050105706F6C6C75050007366261726E61630502056572746873050106636173746F720502056F6D706172050106677565726E73050106686172626F750501066A65727365790501066C6967687473050106706F6C6C7578050008376261726E61636C050107636F6D70617265050107677565726E7365050107686172626F7572050009386261726E61636C65050108677565726E73657905000A396261726E61636C65730504080505050C08090906080606050A0A0605040907080507050407080706040605040404040404040404040404040404060404050405040505040405040504050405050405050504050405050407050405060506050606050506060506060506060506060508060706070607060607070607070607070607070609080708070808080808080A08090809090909090B0A0A0A0C0B'),
(549755813889,X'000000FE0430616E640601066265727468730601056665727279060203726565060104686967680601046E657874060104706C75730601047469646506000231610601016206010166060101680601016E060101700601017406000332616E060102626506010266650602017206010268690601026E65060102706C060102746906000433616E6406010362657206010366657206020272650601036869670601036E6578060103706C75060103746964060005346265727406010466657272060203726565060104686967680601046E657874060104706C757306010474696465060006356265727468060105666572727906000736626572746873060406090806070707070504040404040406050504050505050706060506060606080706070707070908'),
(687194767361,X'000001480530616C736F0702026E64070106636173746F72070108677565726E736579070104686967680701066A6572736579070106706F6C6C75780701047469646507000231610701016307010167070101680701016A070101700701017407000332616C0702016E0701026361070102677507010268690701026A65070102706F070102746907000433616C730702026E640701036361730701036775650701036869670701036A6572070103706F6C07010374696407000534616C736F0701046361737407010467756572070104686967680701046A657273070104706F6C6C0701047469646507000635636173746F070105677565726E0701056A65727365070105706F6C6C7507000736636173746F72070106677565726E730701066A6572736579070106706F6C6C757807000837677565726E736507000938677565726E73657907040705090B07090907050404040404040604050505050505070506060606060608070707070707090808080A0909090B'),
(824633720833,X'000001630530616C736F0802026E64080106626572746873080105666572727908020372656508010B6C69676874686F757365730801086E61727768616C73080203657874080002316108010162080101660801016C0801016E08000332616C0802016E08010262650801026665080201720801026C690801026E610802016508000433616C730802026E6408010362657208010366657208020272650801036C69670801036E6172080202657808000534616C736F08010462657274080104666572720802037265650801046C6967680801046E61727708020365787408000635626572746808010566657272790801056C696768740801056E61727768080007366265727468730801066C69676874680801066E6172776861080008376C69676874686F0801076E61727768616C080009386C69676874686F750801086E61727768616C7308000A396C69676874686F757308000B3A6C69676874686F757365080407050908060E0B0605040404040604050504050504070506060506060508070706070706090808080A09090B0A0C0B0D'),
(962072674305,X'0000011E0530616C736F0901056665727279090107686172626F75720901066C69676874730902026F770901046E657874090104706C757309010474696465090002316109010166090101680901016C0901016E090101700901017409000332616C090102666509010268610901026C690902016F0901026E65090102706C090102746909000433616C730901036665720901036861720901036C69670902026F770901036E6578090103706C7509010374696409000534616C736F09010466657272090104686172620901046C6967680901046E657874090104706C757309010474696465090006356665727279090105686172626F0901056C6967687409000736686172626F750901066C696768747309000837686172626F7572090407080A09050707070504040404040406050505040505050706060605060606080707070707070908080A09'),
(1099511627777,X'000000FC0530616C736F0A01036562620A0104666C6F770A0102676F0A0101690A01036F75740A0104706C75730A0106726F77696E670A0102746F0A010477616E740A000231610A0101650A0101660A0101670A0101690A01016F0A0101700A0101720A0101740A0101770A000332616C0A010265620A0102666C0A0102676F0A01026F750A0102706C0A0102726F0A0102746F0A010277610A000433616C730A01036562620A0103666C6F0A01036F75740A0103706C750A0103726F770A010377616E0A000534616C736F0A0104666C6F770A0104706C75730A0104726F77690A010477616E740A000635726F77696E0A000736726F77696E670A04070607050406070905070504040404040404040406050505050505050507060606060606080707070709');
DELETE FROM "selftest_flagged_words_idx";
INSERT INTO "selftest_flagged_words_idx" VALUES
(1,X'',2),
(2,X'',2),
(3,X'',2),
(4,X'',2),
(5,X'',2),
(6,X'',2),
(7,X'',2),
(8,X'',2);
DELETE FROM "selftest_flagged_words_docsize";
INSERT INTO "selftest_flagged_words_docsize" VALUES
(1,X'28'),
(2,X'08'),
(5,X'28'),
(6,X'08'),
(7,X'0A'),
(8,X'7A'),
(9,X'08'),
(10,X'0A');
DELETE FROM "selftest_flagged_words_config";
INSERT INTO "selftest_flagged_words_config" VALUES
('version',4);
INSERT INTO "selftest_installation" VALUES
(1,'',1795305438965549);
INSERT INTO "selftest_flag" VALUES
(1,'part_lost',0,'part_lost: alone ''next ferry'' is answered by ferry; not among the others','{"promised": "what is answered alone is answered among others too, by its source or by that source''s documented fallback", "seen": "source_used ''digest'', content from: almanac, harbour", "where": "asked besides: ''next ferry''", "asked": [{"purpose": "part", "text": "next ferry", "source_used": "ferry", "brought": ["ferry"], "excerpt": "- Ferry timetable (harbour.example) \u2014 Boats leave every forty minutes; the last one waits for the last train.\n- Ferry passengers stranded after ticket office could not connect to its bank (headlines) \u2014 Reported under technology.\n- New tariffs on steel start next month (headlines) \u2014 Reported under bu\u2026"}, {"purpose": "part", "text": "next ferry", "source_used": "ferry", "brought": ["ferry"], "excerpt": "- Ferry timetable (harbour.example) \u2014 Boats leave every forty minutes; the last one waits for the last train.\n- Ferry passengers stranded after ticket office could not connect to its bank (headlines) \u2014 Reported under technology.\n- New tariffs on steel start next month (headlines) \u2014 Reported under bu\u2026"}]}','2026-11-21 23:57:17.537124',1,1,0,0),
(2,'part_count_mismatch',0,'part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','{"promised": "a section for each of tides, ferry, harbour", "seen": "source_used ''tides'', sections: none", "where": "headers"}','2026-11-21 23:57:17.646189',2,2,0,0),
(3,'unexpected_empty',0,'unexpected_empty: the answer is blank','{"promised": "content, or the documented fallback; an empty section is dropped", "seen": "nothing", "where": "the whole answer"}','2026-11-21 23:57:17.823206',5,5,0,0),
(4,'part_lost',0,'part_lost: alone ''berths free'' is answered by harbour; not among the others','{"promised": "what is answered alone is answered among others too, by its source or by that source''s documented fallback", "seen": "source_used ''tides'', content from: tides", "where": "asked besides: ''berths free''", "asked": [{"purpose": "part", "text": "berths free", "source_used": "harbour", "brought": ["harbour"], "excerpt": "- Honey bee (encyclopedia) \u2014 The honey bee lives in colonies of tens of thousands with a single queen.\n- Coffee (encyclopedia) \u2014 Coffee is a drink made from the roasted seeds of a shrub from Ethiopia.\n- Bolivia (encyclopedia) \u2014 Bolivia is a landlocked country in South America.\n- Bitcoin (encyclopedi\u2026"}, {"purpose": "part", "text": "berths free", "source_used": "harbour", "brought": ["harbour"], "excerpt": "- Honey bee (encyclopedia) \u2014 The honey bee lives in colonies of tens of thousands with a single queen.\n- Coffee (encyclopedia) \u2014 Coffee is a drink made from the roasted seeds of a shrub from Ethiopia.\n- Bolivia (encyclopedia) \u2014 Bolivia is a landlocked country in South America.\n- Bitcoin (encyclopedi\u2026"}]}','2026-11-21 23:57:18.372258',6,6,0,0),
(5,'unexpected_empty',0,'unexpected_empty: the answer is only ''nothing to report''','{"promised": "content, or the documented fallback; an empty section is dropped", "seen": "Nothing to report.", "where": "line 1"}','2026-11-21 23:57:18.433513',7,7,0,0),
(6,'unexpected_empty',0,'unexpected_empty: the answer is blank','{"promised": "content, or the documented fallback; an empty section is dropped", "seen": "nothing", "where": "the whole answer"}','2026-11-21 23:57:18.505238',8,8,0,0),
(7,'part_count_mismatch',0,'part_count_mismatch: 0 of 3 intended sources have a section; missing: tides, ferry, harbour','{"promised": "a section for each of tides, ferry, harbour", "seen": "source_used ''tides'', sections: none", "where": "headers"}','2026-11-21 23:57:18.614508',9,9,0,0),
(8,'unexpected_empty',1,'unexpected_empty: the answer is blank','{"promised": "content, or the documented fallback; an empty section is dropped", "seen": "nothing", "where": "the whole answer"}','2026-11-21 23:57:18.614508',9,9,0,0),
(9,'unexpected_empty',0,'unexpected_empty: the answer is blank','{"promised": "content, or the documented fallback; an empty section is dropped", "seen": "nothing", "where": "the whole answer"}','2026-11-21 23:57:18.645444',10,10,0,0);
INSERT INTO "selftest_historicaltuning" VALUES
(1,1,60,8,1.5,1000,10,1,1,'2026-11-21 23:57:17.055955',NULL,'+',NULL,'[]',1,24.0,1.0);
INSERT INTO "selftest_tuning" VALUES
(1,1,60,8,1.5,1000,10,1,'[]',1,24.0,0.25);
INSERT INTO "selftest_pairtally" VALUES
(1,'','{"2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',1,1),
(2,'','{"3": 2, "4": 3, "5": 2, "6": 2, "7": 2, "8": 3, "9": 1, "10": 2, "11": 2, "12": 2, "13": 1, "14": 2, "15": 1, "22": 1, "17": 1, "18": 1, "19": 1}',2,1),
(3,'','{"4": 2, "5": 2, "6": 2, "7": 1, "8": 2, "9": 1, "10": 2, "11": 2, "12": 2, "13": 1, "14": 1, "17": 1, "18": 1, "19": 1}',3,1),
(4,'','{"5": 3, "6": 3, "7": 3, "8": 5, "9": 1, "10": 2, "11": 2, "12": 2, "13": 1, "14": 4, "15": 3, "16": 2, "22": 1, "17": 1, "18": 1, "19": 1, "27": 1, "28": 1}',4,1),
(5,'','{"6": 2, "7": 2, "8": 3, "9": 1, "10": 2, "11": 2, "12": 2, "13": 1, "14": 1, "17": 1, "18": 1, "19": 1, "16": 1}',5,1),
(6,'','{"7": 1, "8": 3, "9": 1, "10": 3, "11": 2, "12": 3, "13": 1, "14": 2, "15": 1, "16": 1, "17": 1, "18": 1, "19": 1}',6,1),
(7,'','{"8": 3, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1, "14": 1, "15": 1, "22": 1, "16": 1}',7,1),
(8,'','{"9": 1, "10": 3, "11": 3, "12": 3, "13": 1, "14": 3, "15": 2, "22": 1, "16": 2, "20": 1, "21": 1, "23": 1, "17": 1, "18": 1, "19": 1, "27": 1, "28": 1, "29": 1}',8,1),
(9,'','{"10": 1, "11": 1, "12": 1, "13": 1}',9,1),
(10,'','{"11": 2, "12": 3, "13": 1, "14": 1, "17": 1, "18": 1, "19": 1}',10,1),
(11,'','{"12": 2, "13": 1, "14": 1, "17": 1, "18": 1, "19": 1, "29": 1}',11,1),
(12,'','{"13": 1, "14": 1, "17": 1, "18": 1, "19": 1}',12,1),
(13,'','{"15": 3, "16": 1, "22": 1, "17": 1, "18": 1, "19": 1, "27": 1, "28": 1}',14,1),
(14,'','{"16": 2, "22": 1, "24": 1, "25": 1, "26": 1, "27": 1, "28": 1}',15,1),
(15,'','{"20": 1, "21": 1, "23": 1, "24": 1, "25": 1, "26": 1}',16,1),
(16,'','{"21": 1, "23": 1}',20,1),
(17,'','{"23": 1}',21,1),
(18,'','{"18": 1, "19": 1}',17,1),
(19,'','{"19": 1}',18,1),
(20,'part_lost','{"2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',1,1),
(21,'part_lost','{"3": 1, "4": 1, "5": 1, "6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',2,1),
(22,'part_lost','{"4": 1, "5": 1, "6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',3,1),
(23,'part_lost','{"5": 1, "6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',4,1),
(24,'part_lost','{"6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',5,1),
(25,'part_lost','{"7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',6,1),
(26,'part_lost','{"8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',7,1),
(27,'part_lost','{"9": 1, "10": 1, "11": 1, "12": 1, "13": 1}',8,1),
(28,'part_lost','{"10": 1, "11": 1, "12": 1, "13": 1}',9,1),
(29,'part_lost','{"11": 1, "12": 1, "13": 1}',10,1),
(30,'part_lost','{"12": 1, "13": 1}',11,1),
(31,'part_lost','{"13": 1}',12,1),
(32,'part_count_mismatch','{"6": 1, "14": 1, "15": 1, "16": 2, "5": 1, "7": 1, "8": 1}',4,1),
(33,'part_count_mismatch','{"14": 1, "15": 1, "16": 1}',6,1),
(34,'part_count_mismatch','{"15": 1, "16": 1}',14,1),
(35,'part_count_mismatch','{"16": 1}',15,1),
(36,'unexpected_empty','{"3": 1, "4": 1, "5": 1, "6": 1, "8": 1, "10": 1, "11": 1, "12": 1, "14": 1, "17": 1, "18": 1, "19": 1}',2,1),
(37,'unexpected_empty','{"4": 1, "5": 1, "6": 1, "8": 1, "10": 1, "11": 1, "12": 1, "14": 1, "17": 1, "18": 1, "19": 1}',3,1),
(38,'unexpected_empty','{"5": 2, "6": 1, "8": 3, "10": 1, "11": 1, "12": 1, "14": 2, "17": 1, "18": 1, "19": 1, "15": 1, "27": 1, "28": 1, "7": 1, "16": 1}',4,1),
(39,'unexpected_empty','{"6": 1, "8": 2, "10": 1, "11": 1, "12": 1, "14": 1, "17": 1, "18": 1, "19": 1, "7": 1, "16": 1}',5,1),
(40,'unexpected_empty','{"8": 2, "10": 2, "11": 1, "12": 2, "14": 1, "17": 1, "18": 1, "19": 1}',6,1),
(41,'unexpected_empty','{"10": 2, "11": 2, "12": 2, "14": 2, "17": 1, "18": 1, "19": 1, "15": 1, "27": 1, "28": 1, "16": 1, "29": 1}',8,1),
(42,'unexpected_empty','{"11": 1, "12": 2, "14": 1, "17": 1, "18": 1, "19": 1}',10,1),
(43,'unexpected_empty','{"12": 1, "14": 1, "17": 1, "18": 1, "19": 1, "29": 1}',11,1),
(44,'unexpected_empty','{"14": 1, "17": 1, "18": 1, "19": 1}',12,1),
(45,'unexpected_empty','{"17": 1, "18": 1, "19": 1, "15": 1, "27": 1, "28": 1}',14,1),
(46,'unexpected_empty','{"18": 1, "19": 1}',17,1),
(47,'unexpected_empty','{"19": 1}',18,1),
(50,'','{"25": 1, "26": 1}',24,1),
(51,'','{"26": 1}',25,1),
(57,'','{"28": 1}',27,1),
(61,'part_lost','{"16": 1, "24": 1, "25": 1, "26": 1}',15,1),
(62,'part_lost','{"24": 1, "25": 1, "26": 1}',16,1),
(63,'part_lost','{"25": 1, "26": 1}',24,1),
(64,'part_lost','{"26": 1}',25,1),
(70,'unexpected_empty','{"27": 1, "28": 1}',15,1),
(71,'unexpected_empty','{"28": 1}',27,1),
(73,'unexpected_empty','{"8": 1, "16": 1}',7,1),
(76,'part_count_mismatch','{"7": 1, "8": 1, "16": 1}',5,1),
(77,'part_count_mismatch','{"8": 1, "16": 1}',7,1),
(78,'part_count_mismatch','{"16": 1}',8,1);
INSERT INTO "selftest_checktally" VALUES
(1,'',10,1),
(2,'part_lost',2,1),
(3,'part_count_mismatch',2,1),
(4,'unexpected_empty',5,1);
INSERT INTO "selftest_coverage" VALUES
(1,'multi_intent_chain','["intent:ferry:next ferry", "intent:harbour:berths free", "intent:tides:high tide", "joint: and ", "joint: plus ", "intent:harbour:harbour lights", "intent:tides:low tide", "joint:, also "]',X'7801FB7FDC820F0006D3020D',X'7801FBCFCCE8C2A2740C00093D0234',2,1,2),
(2,'condition_in_later_place','["condition:if the moon is full", "consequence:ring me", "intent:ferry:next ferry", "intent:harbour:berths free", "intent:tides:low tide", "joint: and ", "joint:, also "]',X'7801FBFF5F1E00051D021E',X'7801FBFFFFFF7F76000DFE0404',1,1,1),
(3,'keywords_with_signs','["intent:ferry:\"next ferry\"", "intent:harbour:\"berths free\"", "intent:tides:\"low tide\"", "joint: plus ", "joint:, also "]',X'7801FBCF0C0002030103',X'7801FBCF0C0002030103',1,1,1),
(4,'megaquery','["condition:if the harbour is shut", "consequence:ring me", "discourse:all of them go on about", "intent:ferry:next ferry", "intent:harbour:harbour lights", "intent:tides:high tide", "intent:tides:low tide", "joint:, also ", "nosplit:versus", "pair:Castor and Pollux", "pair:Ebb plus Flow", "pair:Jersey and Guernsey", "topic:sea shanties", "condition:if the next ferry is late", "intent:harbour:berths free", "nosplit:compare", "topic:barnacles"]',X'7801FBFF1F0AF6AFFF5C5A7B77DF3B008E4D0ED4',X'7801FBFF9F20B07F2BF781F1C7A7ABD7191C76B3D730ECABF96ACAF0C3EA96ED03E60F4F57AF673C70FDE7AE2DD507D81F9C0E8F676E58FFB9B4F62E00F0AE3E82',2,1,2),
(5,'proper_noun_plus_pronoun_intent','["joint:, also ", "pair:Ebb plus Flow", "request:I want to go out rowing"]',X'780163070000080008',X'780163040000020002',1,1,1),
(7,'nested_proper_noun_pairs','["intent:tides:high tide", "joint:, also ", "pair:Castor and Pollux", "pair:Jersey and Guernsey"]',X'7801B3070000400040',X'7801E3070000100010',1,1,1),
(8,'very_long_input','["intent:ferry:next ferry", "intent:harbour:berths free", "joint: and ", "joint:, also ", "topic:lighthouses", "topic:narwhals"]',X'7801FB5F0F00027F017F',X'7801FBFF9F1F00050D020E',1,1,1),
(9,'keywords_in_other_case','["intent:ferry:Next Ferry", "intent:harbour:BERTHS FREE", "intent:tides:HIGH TIDE", "joint: and ", "joint: plus "]',X'7801FBCF0C0002030103',X'7801FBCF0C0002030103',1,1,1);
INSERT INTO "selftest_probe" VALUES
(1,'part','next ferry','3b04a1234a6f0245ba6c4543c0603c466ea569f069a5d47832d36f67b30faae4','ferry','2026-11-21 23:57:17.535040','ferry',8.60923999880469636991e-01,NULL,0,'','- Ferry timetable (harbour.example) — Boats leave every forty minutes; the last one waits for the last train.
- Ferry passengers stranded after ticket office could not connect to its bank (headlines) — Reported under technology.
- New tariffs on steel start next month (headlines) — Reported under business.
- Comet (encyclopedia) — A comet is a small body of ice and dust that grows a glowing head and tails when it comes near the Sun.',444,'a718f11a84a18c6802d570fd8d530de84e08e7e809ba3670763eb885df8780ce','',1,1,''),
(2,'part','berths free','9a7e07fcb4d89e60d4a375fa78e67945afe50344de9b02717474667c891331a6','harbour','2026-11-21 23:57:18.371516','harbour',1.16889700029787491075e+00,NULL,0,'','- Honey bee (encyclopedia) — The honey bee lives in colonies of tens of thousands with a single queen.
- Coffee (encyclopedia) — Coffee is a drink made from the roasted seeds of a shrub from Ethiopia.
- Bolivia (encyclopedia) — Bolivia is a landlocked country in South America.
- Bitcoin (encyclopedia) — Bitcoin is a digital currency whose ledger is kept by a network of computers without a central bank.',413,'aa955ebea98d4856f8ba56e7a04bc33104b538879cd0f275af427567c17c5177','',6,1,'');
INSERT INTO "selftest_sourcestability" VALUES
(1,'almanac',0,0,1,3),
(2,'harbour',0,0,1,4),
(3,'ferry',0,0,1,4);
DELETE FROM sqlite_sequence;
INSERT INTO "sqlite_sequence" VALUES
('django_migrations',66),
('django_admin_log',0),
('django_content_type',42),
('auth_permission',169),
('auth_group',3),
('auth_user',1),
('axes_accessattempt',0),
('axes_accesslog',0),
('django_q_schedule',1),
('selftest_cycle',3),
('selftest_run',10),
('selftest_vocabularyversion',1),
('selftest_walk',0),
('selftest_combination',10),
('selftest_bulkitem',0),
('selftest_ingredienttally',95),
('selftest_recipetally',16),
('auth_group_permissions',294),
('selftest_installation',1),
('selftest_flag',9),
('selftest_historicaltuning',1),
('selftest_tuning',1),
('selftest_reduction',0),
('selftest_coverage',9),
('selftest_probe',2),
('selftest_sourcestability',6),
('selftest_target',1),
('selftest_historicaltarget',2),
('selftest_ingredient',29),
('selftest_combination_ingredients',54),
('selftest_reviewevent',11),
('selftest_checktally',4),
('selftest_pairtally',78),
('django_q_ormq',1);
CREATE UNIQUE INDEX "auth_group_permissions_group_id_permission_id_0cd325b0_uniq" ON "auth_group_permissions" ("group_id", "permission_id");
CREATE INDEX "auth_group_permissions_group_id_b120cbf9" ON "auth_group_permissions" ("group_id");
CREATE INDEX "auth_group_permissions_permission_id_84c5c92e" ON "auth_group_permissions" ("permission_id");
CREATE UNIQUE INDEX "auth_user_groups_user_id_group_id_94350c0c_uniq" ON "auth_user_groups" ("user_id", "group_id");
CREATE INDEX "auth_user_groups_user_id_6a12ed8b" ON "auth_user_groups" ("user_id");
CREATE INDEX "auth_user_groups_group_id_97559544" ON "auth_user_groups" ("group_id");
CREATE UNIQUE INDEX "auth_user_user_permissions_user_id_permission_id_14a6b632_uniq" ON "auth_user_user_permissions" ("user_id", "permission_id");
CREATE INDEX "auth_user_user_permissions_user_id_a95ead1b" ON "auth_user_user_permissions" ("user_id");
CREATE INDEX "auth_user_user_permissions_permission_id_1fbb5f2c" ON "auth_user_user_permissions" ("permission_id");
CREATE INDEX "django_admin_log_content_type_id_c4bce8eb" ON "django_admin_log" ("content_type_id");
CREATE INDEX "django_admin_log_user_id_c564eba6" ON "django_admin_log" ("user_id");
CREATE UNIQUE INDEX "django_content_type_app_label_model_76bd3d3b_uniq" ON "django_content_type" ("app_label", "model");
CREATE UNIQUE INDEX "auth_permission_content_type_id_codename_01ab375a_uniq" ON "auth_permission" ("content_type_id", "codename");
CREATE INDEX "auth_permission_content_type_id_2f476e4b" ON "auth_permission" ("content_type_id");
CREATE INDEX "axes_accessattempt_user_agent_ad89678b" ON "axes_accessattempt" ("user_agent");
CREATE INDEX "axes_accessattempt_ip_address_10922d9c" ON "axes_accessattempt" ("ip_address");
CREATE INDEX "axes_accessattempt_username_3f2d4ca0" ON "axes_accessattempt" ("username");
CREATE UNIQUE INDEX "axes_accessattempt_username_ip_address_user_agent_8ea22282_uniq" ON "axes_accessattempt" ("username", "ip_address", "user_agent");
CREATE INDEX "axes_accessfailurelog_user_agent_ea145dda" ON "axes_accessfailurelog" ("user_agent");
CREATE INDEX "axes_accessfailurelog_ip_address_2e9f5a7f" ON "axes_accessfailurelog" ("ip_address");
CREATE INDEX "axes_accessfailurelog_username_a8b7e8a4" ON "axes_accessfailurelog" ("username");
CREATE INDEX "axes_accesslog_user_agent_0e659004" ON "axes_accesslog" ("user_agent");
CREATE INDEX "axes_accesslog_ip_address_86b417e5" ON "axes_accesslog" ("ip_address");
CREATE INDEX "axes_accesslog_username_df93064b" ON "axes_accesslog" ("username");
CREATE INDEX "success_index" ON "django_q_task" ("group", "name", "func") WHERE "success";
CREATE INDEX "selftest_historicaltarget_id_a2c7d8f9" ON "selftest_historicaltarget" ("id");
CREATE INDEX "selftest_historicaltarget_name_23307eac" ON "selftest_historicaltarget" ("name");
CREATE INDEX "selftest_historicaltarget_history_date_a1c05d45" ON "selftest_historicaltarget" ("history_date");
CREATE INDEX "selftest_historicaltarget_history_user_id_d20f505f" ON "selftest_historicaltarget" ("history_user_id");
CREATE UNIQUE INDEX "one_default_target" ON "selftest_target" ("is_default") WHERE "is_default";
CREATE INDEX "selftest_cycle_target_id_9c0f92b4" ON "selftest_cycle" ("target_id");
CREATE INDEX "selftest_cycle_vocabulary_id_50e4ee95" ON "selftest_cycle" ("vocabulary_id");
CREATE INDEX "selftest_reviewevent_user_id_786ebc8e" ON "selftest_reviewevent" ("user_id");
CREATE INDEX "selftest_reviewevent_run_id_7ff93f5e" ON "selftest_reviewevent" ("run_id");
CREATE INDEX "event_of_combination" ON "selftest_reviewevent" ("combination_id", "id" DESC);
CREATE INDEX "selftest_run_target_id_9e3c76a9" ON "selftest_run" ("target_id");
CREATE INDEX "run_of_combination" ON "selftest_run" ("combination_id", "id" DESC);
CREATE INDEX "run_latency_samples" ON "selftest_run" ("target_id", "recipe_name", "id" DESC) WHERE (NOT "cached" AND "error" = '' AND "state" = 'done');
CREATE INDEX "selftest_vocabularyversion_created_by_id_96081d96" ON "selftest_vocabularyversion" ("created_by_id");
CREATE INDEX "selftest_vocabularyversion_target_id_7a03c742" ON "selftest_vocabularyversion" ("target_id");
CREATE UNIQUE INDEX "one_vocabulary_in_force" ON "selftest_vocabularyversion" ("target_id") WHERE "in_force";
CREATE INDEX "cycle_last_finished" ON "selftest_cycle" ("target_id", "finished_at" DESC) WHERE "state" = 'finished';
CREATE UNIQUE INDEX "one_running_cycle" ON "selftest_cycle" ("target_id") WHERE "state" = 'running';
CREATE INDEX "selftest_walk_target_id_9ae632fd" ON "selftest_walk" ("target_id");
CREATE INDEX "selftest_combination_last_flagged_run_id_af4f90e4" ON "selftest_combination" ("last_flagged_run_id");
CREATE INDEX "selftest_combination_last_run_id_6c7b440b" ON "selftest_combination" ("last_run_id");
CREATE INDEX "selftest_combination_held_by_id_fc1546b6" ON "selftest_combination" ("held_by_id");
CREATE INDEX "combination_queue" ON "selftest_combination" ("last_run_timestamp" DESC, "id" DESC) WHERE ("ever_flagged" AND "review_status" IS NULL);
CREATE INDEX "combination_ever_flagged" ON "selftest_combination" ("last_run_timestamp" DESC, "id" DESC) WHERE "ever_flagged";
CREATE INDEX "combination_least_recent" ON "selftest_combination" ("target_id", "last_run_timestamp", "id");
CREATE INDEX "combination_never_asked" ON "selftest_combination" ("target_id") WHERE "times_generated" = 0;
CREATE INDEX "combination_of_recipe" ON "selftest_combination" ("recipe_name", "id" DESC);
CREATE INDEX "combination_review" ON "selftest_combination" ("target_id", "flagged_check", "suspect_id", "review_status", "currently_flagged", "last_run_timestamp", "first_flagged_timestamp", "times_flagged", "recipe_name", "last_source_used", "held_by_id", "last_flagged_run_id", "id") WHERE "ever_flagged";
CREATE INDEX "selftest_cycle_combination_id_4ad6fd62" ON "selftest_cycle" ("combination_id");
CREATE INDEX "selftest_cycle_replay_of_id_bb96ef91" ON "selftest_cycle" ("replay_of_id");
CREATE INDEX "selftest_bulkact_user_id_664330eb" ON "selftest_bulkact" ("user_id");
CREATE INDEX "selftest_reviewevent_act_id_27a4d928" ON "selftest_reviewevent" ("act_id");
CREATE UNIQUE INDEX "selftest_combination_ingredients_combination_id_ingredient_id_2a5b32a2_uniq" ON "selftest_combination_ingredients" ("combination_id", "ingredient_id");
CREATE INDEX "selftest_combination_ingredients_combination_id_34e68e00" ON "selftest_combination_ingredients" ("combination_id");
CREATE INDEX "selftest_combination_ingredients_ingredient_id_c5c71e7d" ON "selftest_combination_ingredients" ("ingredient_id");
CREATE INDEX "selftest_bulkitem_combination_id_86958325" ON "selftest_bulkitem" ("combination_id");
CREATE INDEX "selftest_ingredienttally_ingredient_id_aac7c53d" ON "selftest_ingredienttally" ("ingredient_id");
CREATE INDEX "review_savedview_owner_id_693063f8" ON "review_savedview" ("owner_id");
CREATE INDEX "combination_queue_of_target" ON "selftest_combination" ("target_id", "last_run_timestamp" DESC, "id" DESC) WHERE ("ever_flagged" AND "review_status" IS NULL);
CREATE INDEX "combination_flagged_now" ON "selftest_combination" ("last_run_timestamp" DESC, "id" DESC) WHERE "currently_flagged";
CREATE INDEX "cycle_last_finished_of_all" ON "selftest_cycle" ("finished_at" DESC) WHERE "state" = 'finished';
CREATE INDEX "cycle_last_outage" ON "selftest_cycle" ("target_id", "id" DESC) WHERE "state" = 'target_unavailable';
CREATE INDEX "cycle_last_outage_of_all" ON "selftest_cycle" ("id" DESC) WHERE "state" = 'target_unavailable';
CREATE INDEX combination_of_ingredient ON selftest_combination_ingredients (ingredient_id, combination_id);
CREATE INDEX "flag_of_combination" ON "selftest_flag" ("combination_id", "id" DESC);
CREATE INDEX "selftest_historicaltuning_id_5e3f4b61" ON "selftest_historicaltuning" ("id");
CREATE INDEX "selftest_historicaltuning_history_date_e46db598" ON "selftest_historicaltuning" ("history_date");
CREATE INDEX "selftest_historicaltuning_history_user_id_03587d3f" ON "selftest_historicaltuning" ("history_user_id");
CREATE INDEX "selftest_explanation_combination_id_4f853836" ON "selftest_explanation" ("combination_id");
CREATE INDEX "explanation_of_target" ON "selftest_explanation" ("target_id", "id" DESC);
CREATE INDEX "explanation_of_source" ON "selftest_explanation" ("target_id", "source", "id" DESC);
CREATE INDEX "selftest_pairtally_ingredient_id_6b9f6eaa" ON "selftest_pairtally" ("ingredient_id");
CREATE UNIQUE INDEX "one_open_reduction" ON "selftest_reduction" ("combination_id") WHERE "state" IN ('planned', 'running');
CREATE INDEX "selftest_reduction_requested_by_id_975a129b" ON "selftest_reduction" ("requested_by_id");
CREATE INDEX "selftest_reduction_run_id_63e35f62" ON "selftest_reduction" ("run_id");
CREATE INDEX "reduction_of_combination" ON "selftest_reduction" ("combination_id", "id" DESC);
CREATE INDEX "explanation_of_check" ON "selftest_explanation" ("target_id", "check_name", "id" DESC);
CREATE INDEX "explanation_of_both" ON "selftest_explanation" ("target_id", "source", "check_name", "id" DESC);
CREATE INDEX "selftest_probe_run_id_e16e587f" ON "selftest_probe" ("run_id");
CREATE INDEX "probe_of_text" ON "selftest_probe" ("target_id", "text_sha256", "id" DESC);
CREATE INDEX "probe_of_source" ON "selftest_probe" ("target_id", "source", "id" DESC);
CREATE INDEX "probe_figures" ON "selftest_probe" ("target_id", "source", "purpose", "id" DESC, "text_sha256", "empty_phrase");
CREATE INDEX "django_session_expire_date_a5c62663" ON "django_session" ("expire_date");
CREATE INDEX "cache_expires" ON "cache" ("expires");
