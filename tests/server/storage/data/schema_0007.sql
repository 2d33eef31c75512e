PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES('0007');
CREATE TABLE games (
	id VARCHAR(32) NOT NULL, 
	title VARCHAR(32) NOT NULL, 
	options TEXT NOT NULL, 
	names TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	ruleset VARCHAR(64) NOT NULL, 
	components VARCHAR(128) NOT NULL, 
	set_up TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	moment VARCHAR(64) NOT NULL, 
	finished BOOLEAN NOT NULL, 
	created FLOAT NOT NULL, 
	changed FLOAT NOT NULL, watch_hash VARCHAR(64), host VARCHAR(32), revision INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO games VALUES('5kpuu4vuxy','18rhl','{"edition":2,"compat":false,"optional_2_train":false,"lower_capital":false,"promotion_tiles":false,"ratingen":false,"optional_end":false,"location":0,"fixed_seats":true}','["Ada","Bert","Cleo"]',7,'18rhl/2','9e744b56f57fb1e8242cb0198153defa1484c9a3aa72fceeb3dd8fa239e4145e','[{"event":"seated","names":["Ada","Bert","Cleo"]},{"event":"paid","source":"bank","target":0,"amount":600,"cause":"set_up"},{"event":"paid","source":"bank","target":1,"amount":600,"cause":"set_up"},{"event":"paid","source":"bank","target":2,"amount":600,"cause":"set_up"},{"event":"drawn","table":"location","number":6},{"event":"icon","hex":"C12","icon":"K"},{"event":"icon","hex":"D9","icon":"S"},{"event":"certificate","company":"GVE","number":1,"source":"io","target":"package","cause":"set_up"},{"event":"certificate","company":"RhE","number":0,"source":"io","target":"package","cause":"set_up"},{"event":"stations","hex":"K2","stations":[{"company":"ADR","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"F13","stations":[{"company":"BME","stop":1,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"I10","stations":[{"company":"CCE","stop":1,"kind":"","asleep":true},{"company":"CME","stop":2,"kind":"","asleep":true},{"company":"RhE","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"E6","stations":[{"company":"CCE","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"F9","stations":[{"company":"DEE","stop":1,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"G6","stations":[{"company":"GVE","stop":1,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"D7","stations":[{"company":"MKB","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"ADR","stations":[60,80]},{"event":"tokens","company":"BME","stations":[60,80,100]},{"event":"tokens","company":"CCE","stations":[80]},{"event":"tokens","company":"CME","stations":[60,80,100]},{"event":"tokens","company":"DEE","stations":[60]},{"event":"tokens","company":"GVE","stations":[60]},{"event":"tokens","company":"MKB","stations":[60]},{"event":"tokens","company":"RhE","stations":[60,80,100]},{"event":"par","company":"RhE","par":70},{"event":"price","company":"RhE","space":[3,2],"cause":"set_up"},{"event":"certificate","company":"RhE","number":1,"source":"io","target":"pool","cause":"set_up"},{"event":"certificate","company":"RhE","number":2,"source":"io","target":"pool","cause":"set_up"},{"event":"certificate","company":"RhE","number":3,"source":"io","target":"pool","cause":"set_up"},{"event":"paid","source":"bank","target":"aside:RhE","amount":210,"cause":"set_aside"},{"event":"pushed","frame":{"type":"rounds","number":0,"planned":0,"done":0}},{"event":"turned","frame":{"type":"rounds","number":1,"planned":0,"done":0},"skipped":[]},{"event":"pushed","frame":{"type":"stock_round","number":1,"seat":0,"passes":0,"sold":[],"blocks":[],"buyer":null,"actor":null,"closed":false,"order":[]}},{"event":"pushed","frame":{"type":"auction","seat":0,"passes":0,"discount":0,"buyer":null,"actor":null}}]',6,'SR 1',0,1795914993.8451678753,1795914993.9333884716,'c030c0d4696a582e7fcfc1be2ac2689a92c0bb3a0ee8e293a5de3271caea5212','dd829886f364aa831d00b027',10);
INSERT INTO games VALUES('ynq4kj8zw4','18do','{"edition":1,"game":"full","players":3,"beginners":false,"fixed_seats":false,"city_hex":"E13","cme_home":"A3/B4","seating":"order_cards","cash_tie":"order_card","no_purchase_priority":"first","sell_only":true,"stack_order":true,"surplus_stuck":"pass","block_sale":"per_action","director_swap":"fewest","outgoing_director_moves_value":true,"deeg_counts_bankrupt":true,"reserved_place":"until_next_order","several_places":"any","first_train":"before_step_1","kwe_token":"any_mine_first_turn","pool_20_trade_in":"pay_half_to_bank","bankrupt_cubes":"stock","reopened_bc":"drop_two_tens","refounded_privileges":"as_new","or_per_set":"from_phase_6","rr_order":"value_then_pile","own_sale":"any","station_connected":true,"link_takes":"lowest_type","link_shortfall_same_segment":"never","best_route":"free","dividend_compared":"total","two_ends":50,"blocked_token":0,"stranded_cubes":"stock","pool_train_own":"refused","pool_counts_as_purchase":false,"pool_four":"removed","turned_counts_for_limit":true,"final_run":"first_step_4","forced_bankruptcy":"stop","forced_cheapest":"only_if_short","no_demand":"no_cubes","export_is_use":true,"bec_order":"descending","export_first":true,"joint_route_check":false,"minor_duty":"treasury_only","order_depth":2,"all_empty":"keep_open","export_box_release":8,"phase_steps":"market_scrap_trains_becs","tie":"shared","mcm_places":1,"mcm_subsidy":"none","mcm_after_charter":"display","pub_before_float":"none","realign":"turn_start","rc_wagon":"plus_one_square","cash_order":"after_mcm","sem_after_charter":"as_mcm","advertised_cube":"stock","investor":"replaces_deal","tool_rounding":"floor","tool_income":"income","second_shift_field":"regular"}','["A","B","C"]',1,'18do/full','778732c7373d70513baac2180b65fe8b5e70ec1024bf08ab5990cb08047a1dac','[{"event":"seated","names":["B","C","A"]},{"event":"paid","source":"bank","target":0,"amount":465,"cause":"set_up"},{"event":"paid","source":"bank","target":1,"amount":465,"cause":"set_up"},{"event":"paid","source":"bank","target":2,"amount":465,"cause":"set_up"},{"event":"stations","hex":"A3","stations":[{"company":"CME","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"B4","stations":[{"company":"CME","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"CME","stations":[60,80,100,100,100]},{"event":"stations","hex":"I11","stations":[{"company":"BME","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"BME","stations":[60,80,100,100,100]},{"event":"stations","hex":"H2","stations":[{"company":"RhE","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"stations","hex":"I3","stations":[{"company":"RhE","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"RhE","stations":[60,80,100,100,100]},{"event":"stations","hex":"E21","stations":[{"company":"KWE","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"KWE","stations":[60,80,100]},{"event":"stations","hex":"A21","stations":[{"company":"DEEG","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"DEEG","stations":[60,80]},{"event":"stations","hex":"C9","stations":[{"company":"DHB","stop":0,"kind":"","asleep":true}],"kept":[]},{"event":"tokens","company":"DHB","stations":[60,80]},{"event":"market_laid","demand":[[3,3],[3,3]],"price_box":6,"stock":8},{"event":"drawn","table":"minors","number":2},{"event":"drawn","table":"minors","number":4},{"event":"drawn","table":"minors","number":1},{"event":"drawn","table":"minors","number":7},{"event":"minors_laid","minors":["B1","B2","B4","B7"]},{"event":"pushed","frame":{"type":"rounds","number":0,"planned":0,"done":0}},{"event":"turned","frame":{"type":"rounds","number":1,"planned":0,"done":0},"skipped":[]},{"event":"pushed","frame":{"type":"starting_round","seat":0}}]',0,'SR 1',0,1795914994.1739022732,1795914994.1739022732,NULL,NULL,1);
CREATE TABLE entries (
	game VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	action TEXT NOT NULL, 
	events TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	time FLOAT NOT NULL, "by" VARCHAR(48), why TEXT, 
	PRIMARY KEY (game, number), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO entries VALUES('5kpuu4vuxy',1,0,0,'action','{"kind":"buy_private","private":1}','[{"event":"turned","frame":{"type":"auction","seat":1,"passes":0,"discount":0,"buyer":null,"actor":0},"skipped":[]},{"event":"turned","frame":{"type":"auction","seat":1,"passes":0,"discount":0,"buyer":0,"actor":0},"skipped":[]},{"event":"private","private":1,"seat":0},{"event":"paid","source":0,"target":"bank","amount":20,"cause":"private"}]',1,1795914993.87742877,NULL,NULL);
INSERT INTO entries VALUES('5kpuu4vuxy',2,1,1,'action','{"kind":"buy_private","private":2}','[{"event":"turned","frame":{"type":"auction","seat":2,"passes":0,"discount":0,"buyer":0,"actor":1},"skipped":[]},{"event":"turned","frame":{"type":"auction","seat":2,"passes":0,"discount":0,"buyer":1,"actor":1},"skipped":[]},{"event":"private","private":2,"seat":1},{"event":"paid","source":1,"target":"bank","amount":30,"cause":"private"}]',1,1795914993.9012956618,NULL,NULL);
INSERT INTO entries VALUES('5kpuu4vuxy',3,2,2,'action','{"kind":"buy_private","private":3}','[{"event":"turned","frame":{"type":"auction","seat":0,"passes":0,"discount":0,"buyer":1,"actor":2},"skipped":[]},{"event":"turned","frame":{"type":"auction","seat":0,"passes":0,"discount":0,"buyer":2,"actor":2},"skipped":[]},{"event":"private","private":3,"seat":2},{"event":"paid","source":2,"target":"bank","amount":50,"cause":"private"}]',1,1795914993.9144427776,NULL,NULL);
INSERT INTO entries VALUES('5kpuu4vuxy',4,3,0,'action','{"kind":"buy_private","private":4}','[{"event":"turned","frame":{"type":"auction","seat":1,"passes":0,"discount":0,"buyer":2,"actor":0},"skipped":[]},{"event":"turned","frame":{"type":"auction","seat":1,"passes":0,"discount":0,"buyer":0,"actor":0},"skipped":[]},{"event":"private","private":4,"seat":0},{"event":"paid","source":0,"target":"bank","amount":80,"cause":"private"}]',1,1795914993.9193658828,NULL,NULL);
INSERT INTO entries VALUES('5kpuu4vuxy',5,4,1,'action','{"kind":"buy_private","private":5}','[{"event":"turned","frame":{"type":"auction","seat":2,"passes":0,"discount":0,"buyer":0,"actor":1},"skipped":[]},{"event":"turned","frame":{"type":"auction","seat":2,"passes":0,"discount":0,"buyer":1,"actor":1},"skipped":[]},{"event":"private","private":5,"seat":1},{"event":"paid","source":1,"target":"bank","amount":120,"cause":"private"},{"event":"certificate","company":"GVE","number":1,"source":"package","target":1,"cause":"brought"}]',1,1795914993.9256319999,NULL,NULL);
INSERT INTO entries VALUES('5kpuu4vuxy',6,5,2,'action','{"kind":"buy_private","private":6}','[{"event":"turned","frame":{"type":"auction","seat":0,"passes":0,"discount":0,"buyer":1,"actor":2},"skipped":[]},{"event":"turned","frame":{"type":"auction","seat":0,"passes":0,"discount":0,"buyer":2,"actor":2},"skipped":[]},{"event":"private","private":6,"seat":2},{"event":"paid","source":2,"target":"RhE","amount":140,"cause":"capital"},{"event":"status","company":"RhE","status":"founded","value":true},{"event":"status","company":"RhE","status":"floated","value":true},{"event":"private_closed","private":6,"cause":"exchange"},{"event":"director","company":"RhE","seat":2,"cause":"brought"},{"event":"certificate","company":"RhE","number":0,"source":"package","target":2,"cause":"brought"},{"event":"certificate","company":"RhE","number":4,"source":"io","target":"charter","cause":"floated"},{"event":"certificate","company":"RhE","number":5,"source":"io","target":"charter","cause":"floated"},{"event":"certificate","company":"RhE","number":6,"source":"io","target":"charter","cause":"floated"},{"event":"certificate","company":"RhE","number":7,"source":"io","target":"charter","cause":"floated"},{"event":"certificate","company":"RhE","number":8,"source":"io","target":"charter","cause":"floated"},{"event":"price","company":"RhE","space":[2,2],"cause":"floated"},{"event":"stations","hex":"I10","stations":[{"company":"CCE","stop":1,"kind":"","asleep":true},{"company":"CME","stop":2,"kind":"","asleep":true},{"company":"RhE","stop":0,"kind":"","asleep":false}],"kept":[]},{"event":"popped"},{"event":"turned","frame":{"type":"stock_round","number":1,"seat":0,"passes":0,"sold":[],"blocks":[],"buyer":2,"actor":2,"closed":false,"order":[]},"skipped":[]}]',1,1795914993.9333884716,NULL,NULL);
CREATE TABLE programs (
	game VARCHAR(32) NOT NULL, 
	seats TEXT NOT NULL, 
	pause FLOAT NOT NULL, 
	guided BOOLEAN NOT NULL, 
	PRIMARY KEY (game), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO programs VALUES('ynq4kj8zw4','{"0":"steady"}',0.59999999999999997779,0);
CREATE TABLE settings (
	name VARCHAR(64) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO settings VALUES('signing','d0f491e8c354a869f091dc28ffe6566d814dc7dca5527dd941830823d0750f71');
INSERT INTO settings VALUES('address 5kpuu4vuxy 1','http://testserver');
CREATE TABLE people (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(64), 
	folded VARCHAR(128), 
	passcode_hash TEXT, 
	links INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (folded)
);
INSERT INTO people VALUES('dd829886f364aa831d00b027','Ada','ada','$argon2id$v=19$m=19456,t=2,p=1$t9GkqLKpd4uMkgQeHQs+eg$AfU7jMWesPuqKTZt6zqXXEbluPz78WjL8SX03zgr3/8',0,1795914993.8384232521);
CREATE TABLE devices (
	key_hash VARCHAR(64) NOT NULL, 
	person VARCHAR(32) NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (key_hash), 
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO devices VALUES('4a9fa360d2b71364f8c4e26ca8fe8bda20be82f13394391adf994e1828d4532a','dd829886f364aa831d00b027',1795914993.8384232521);
CREATE TABLE seats (
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	passcode_hash TEXT, 
	stand_in VARCHAR(32), 
	language VARCHAR(8), 
	mail VARCHAR(320), 
	hook TEXT, 
	hook_form VARCHAR(16), 
	muted BOOLEAN NOT NULL, 
	looking FLOAT NOT NULL, 
	told INTEGER NOT NULL, confirmed BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES games (id), 
	UNIQUE (token_hash)
);
INSERT INTO seats VALUES('5kpuu4vuxy',0,'af32d986155932417844b9bebf4941aa32b8f8d32ae9c030e81908edbf337ed3',NULL,NULL,'en',NULL,NULL,NULL,0,0.0,0,0);
INSERT INTO seats VALUES('5kpuu4vuxy',1,'3ea756b0a9200357ff6d7ed5629664ab8755fa6ad13bc303338cbb06515c6090',NULL,NULL,'en',NULL,'https://hooks.example/x','json',0,0.0,0,0);
INSERT INTO seats VALUES('5kpuu4vuxy',2,'91a642f7faecca5a54042b6755006a03e1f8e0d883636965766ee468fe16c279','$argon2id$v=19$m=19456,t=2,p=1$qpV91GWAp7pJppZc2BzWVQ$OaDwz3YUd0TGcGVOWbFeCPazLMpvn22ppNcpkCbFuxg','steady',NULL,NULL,NULL,NULL,0,0.0,0,0);
CREATE TABLE holders (
	person VARCHAR(32) NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (person, game, seat), 
	FOREIGN KEY(person) REFERENCES people (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO holders VALUES('dd829886f364aa831d00b027','5kpuu4vuxy',0,1795914993.861418724);
CREATE TABLE petitions (
	game VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	stands INTEGER NOT NULL, 
	target INTEGER NOT NULL, 
	what VARCHAR(32) NOT NULL, 
	needs TEXT NOT NULL, 
	asked FLOAT NOT NULL, 
	lapses FLOAT NOT NULL, 
	outcome VARCHAR(16) NOT NULL, 
	PRIMARY KEY (game, number), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO petitions VALUES('5kpuu4vuxy',1,'undo',0,6,0,'','[1,2]',1795914993.9605462551,1796001393.960546255,'open');
CREATE TABLE consents (
	game VARCHAR(32) NOT NULL, 
	petition INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	given FLOAT NOT NULL, 
	PRIMARY KEY (game, petition, seat), 
	FOREIGN KEY(game, petition) REFERENCES petitions (game, number)
);
CREATE TABLE guesses (
	about VARCHAR(200) NOT NULL, 
	wrong INTEGER NOT NULL, 
	last FLOAT NOT NULL, 
	PRIMARY KEY (about)
);
CREATE TABLE due (
	id INTEGER NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	payload TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	tries INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE orders (
	id INTEGER NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	value TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	round VARCHAR(64) NOT NULL, 
	frame VARCHAR(64) NOT NULL, 
	ended VARCHAR(16) NOT NULL, 
	entry INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO orders VALUES(1,'5kpuu4vuxy',1,'{"kind":"pass_until","until":"any"}',6,'SR 1','stock_round','',0);
CREATE TABLE clocks (
	game VARCHAR(32) NOT NULL, 
	value TEXT NOT NULL, 
	since FLOAT NOT NULL, 
	PRIMARY KEY (game), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO clocks VALUES('5kpuu4vuxy','{"game":3600,"stock":60,"operating":60,"penalty":"none","rate":0}',1795914993.9952948093);
CREATE TABLE clock_words (
	id INTEGER NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	wish VARCHAR(8) NOT NULL, 
	time FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO clock_words VALUES(1,'5kpuu4vuxy',1,'pause',1795914993.9989659785);
CREATE TABLE talk (
	id INTEGER NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	time FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO talk VALUES(1,'5kpuu4vuxy',1,'good morning',1795914993.9362771511);
CREATE TABLE notes (
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	changed FLOAT NOT NULL, 
	PRIMARY KEY (game, seat), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO notes VALUES('5kpuu4vuxy',1,'sells at 100',1795914993.9446310996);
CREATE TABLE mails (
	id INTEGER NOT NULL, 
	address VARCHAR(320) NOT NULL, 
	game VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	asked FLOAT NOT NULL, 
	refused BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE INDEX ix_devices_person ON devices (person);
CREATE INDEX ix_holders_game ON holders (game);
CREATE INDEX ix_due_at ON due (at);
CREATE INDEX ix_orders_game ON orders (game);
CREATE INDEX ix_clock_words_game ON clock_words (game);
CREATE INDEX ix_talk_game ON talk (game);
CREATE INDEX ix_mails_address ON mails (address);
COMMIT;
