"""The peer: the same four writes in FastAPI and SQLAlchemy, with the same rows and the same durability.

    python server.py <database> <port> [<connectors and deployments to seed>]

It leaves out what Lakehelm does beyond that: no caller is authenticated, no secret is encrypted, no event is sealed.
It is as fast as we could make it without leaving the two libraries: one connection, because writers with a pool of
several wait for SQLite's lock, and handlers on the event loop, because a thread pool costs a quarter more processor time.
"""

import json
import sys
import uuid
from datetime import datetime, timezone
from typing import Annotated, Any

import uvicorn
from croniter import croniter
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel, Field
from sqlalchemy import ForeignKey, Index, String, create_engine, event, func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

database, port, seeded = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
engine = create_engine(f"sqlite:///{database}", pool_size=1, max_overflow=0, pool_timeout=60)


@event.listens_for(engine, "connect")
def pragmas(connection, _):
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("pragma foreign_keys = on")


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


class Base(DeclarativeBase):
    pass


class Environment(Base):
    __tablename__ = "environments"
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)


class Connector(Base):
    __tablename__ = "connectors"
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    environment_id: Mapped[str] = mapped_column(ForeignKey("environments.id"), index=True)
    version: Mapped[int] = mapped_column(default=1)
    target_type: Mapped[str]
    target_config: Mapped[str]
    execution_mode: Mapped[str]
    schedule_cron: Mapped[str | None]
    compute_type: Mapped[str] = mapped_column(default="serverless")
    status: Mapped[str] = mapped_column(default="active")
    workflow_id: Mapped[str | None]
    error_message: Mapped[str | None]
    created_at: Mapped[str]
    updated_at: Mapped[str]
    created_by: Mapped[str]
    updated_by: Mapped[str | None]


class Job(Base):
    __tablename__ = "jobs"
    id: Mapped[str] = mapped_column(primary_key=True)
    environment_id: Mapped[str] = mapped_column(ForeignKey("environments.id"))
    kind: Mapped[str]
    subject: Mapped[str]
    name: Mapped[str]
    definition: Mapped[str]
    trigger: Mapped[str]
    paused: Mapped[str | None]
    paused_until: Mapped[str | None] = mapped_column(index=True)
    failures: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[str | None] = mapped_column(index=True)
    created_at: Mapped[str]
    installed_at: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)
    __table_args__ = (Index("jobs_by_age", "created_at", "id"), Index("jobs_by_trigger", "trigger", "installed_at"))


class Deployment(Base):
    __tablename__ = "deployments"
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    environment_id: Mapped[str] = mapped_column(ForeignKey("environments.id"))
    deployment_name: Mapped[str | None]
    status: Mapped[str] = mapped_column(default="pending")
    created_at: Mapped[str]
    completed_at: Mapped[str | None]
    initiated_by: Mapped[str]
    error_message: Mapped[str | None]
    __table_args__ = (Index("deployments_by_status", "environment_id", "status", "completed_at"),)


class DeploymentCount(Base):
    """Kept with each change: counting a hundred thousand deployments at each finish would take 20 ms."""

    __tablename__ = "deployment_counts"
    environment_id: Mapped[str] = mapped_column(primary_key=True)
    status: Mapped[str] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(default=0)


class Summary(Base):
    __tablename__ = "summaries"
    environment_id: Mapped[str] = mapped_column(ForeignKey("environments.id"), primary_key=True)
    doc: Mapped[str]


class Event(Base):
    __tablename__ = "events"
    sequence: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str]
    time: Mapped[str]
    actor: Mapped[str]
    kind: Mapped[str]
    subject: Mapped[str]
    data: Mapped[str]
    __table_args__ = (Index("events_by_kind", "kind", "sequence"), Index("events_by_subject", "subject", "sequence"))


class ConnectorCreate(BaseModel):
    name: str = Field(min_length=1, max_length=255)
    target_type: str
    target_config: dict[str, Any] = {}
    execution_mode: str = "batch"
    schedule_cron: str | None = None
    created_by: str


class ConnectorUpdate(BaseModel):
    name: str | None = None
    target_config: dict[str, Any] | None = None
    schedule_cron: str | None = None


class Pause(BaseModel):
    reason: str | None = None
    until: str | None = None


class DeploymentCreate(BaseModel):
    deployment_name: str | None = None


class DeploymentFinish(BaseModel):
    status: str
    error_message: str | None = None


class ConnectorAnswer(BaseModel):
    id: str
    name: str
    target_type: str
    target_config: dict[str, Any]
    execution_mode: str
    schedule_cron: str | None
    compute_type: str
    status: str
    workflow_id: str | None
    error_message: str | None
    created_at: str
    updated_at: str
    created_by: str
    updated_by: str | None


class DeploymentAnswer(BaseModel):
    id: str
    environment_id: str
    deployment_name: str | None
    status: str
    created_at: str
    completed_at: str | None
    initiated_by: str
    error_message: str | None


async def session():
    with Session(engine, expire_on_commit=False) as opened:
        yield opened


Db = Annotated[Session, Depends(session)]
app = FastAPI()


def next_at(cron: str | None) -> str | None:
    if cron is None:
        return None
    try:
        following = croniter(cron, datetime.now(timezone.utc)).get_next(datetime)
    except (ValueError, KeyError) as error:
        raise HTTPException(422, f"The cron expression cannot be read: {error}") from error
    return following.isoformat(timespec="milliseconds")


def definition_of(cron: str | None) -> str:
    trigger = {"kind": "manual"} if cron is None else {"kind": "cron", "cron": cron, "timezone": "UTC"}
    return json.dumps({"trigger": trigger, "attempts": 3, "backoff_seconds": 10, "timeout_seconds": 3600})


def happened(kind: str, subject: str, data: dict[str, Any]) -> Event:
    return Event(id=str(uuid.uuid4()), time=now(), actor="bench", kind=kind, subject=subject, data=json.dumps(data))


def answer_of(connector: Connector) -> ConnectorAnswer:
    columns = {name: getattr(connector, name) for name in ConnectorAnswer.model_fields}
    config = json.loads(connector.target_config)
    return ConnectorAnswer(**{**columns, "target_config": {**config, "password": "********"}})


def found(db: Session, connector_id: str) -> Connector:
    connector = db.get(Connector, connector_id)
    if connector is None:
        raise HTTPException(404, "There is no such connector.")
    return connector


@app.post("/api/v1/connectors/")
async def create_connector(body: ConnectorCreate, db: Db) -> ConnectorAnswer:
    time = now()
    connector_id = str(uuid.uuid4())
    job_id = f"connector-{connector_id}"
    connector = Connector(
        id=connector_id,
        environment_id=environment_id,
        name=body.name,
        target_type=body.target_type,
        target_config=json.dumps(body.target_config),
        execution_mode=body.execution_mode,
        schedule_cron=body.schedule_cron,
        workflow_id=job_id,
        created_at=time,
        updated_at=time,
        created_by=body.created_by,
    )
    job = Job(
        id=job_id,
        environment_id=environment_id,
        kind="connector",
        subject=f"connector/{connector_id}",
        name=body.name,
        definition=definition_of(body.schedule_cron),
        trigger="manual" if body.schedule_cron is None else "cron",
        next_at=next_at(body.schedule_cron),
        created_at=time,
        installed_at=time,
    )
    db.add_all([connector, job, happened("connector.created", job.subject, {"name": body.name})])
    try:
        db.commit()
    except IntegrityError as error:
        raise HTTPException(409, f'There is already a connector named "{body.name}".') from error
    return answer_of(connector)


@app.patch("/api/v1/connectors/{connector_id}")
async def update_connector(connector_id: str, body: ConnectorUpdate, db: Db) -> ConnectorAnswer:
    connector = found(db, connector_id)
    changes = body.model_dump(exclude_unset=True)
    for name, value in changes.items():
        setattr(connector, name, json.dumps(value) if name == "target_config" else value)
    connector.version += 1
    connector.updated_at = now()
    connector.updated_by = "bench"
    job = db.get_one(Job, connector.workflow_id)
    job.name = connector.name
    job.definition = definition_of(connector.schedule_cron)
    job.next_at = next_at(connector.schedule_cron)
    job.installed_at = connector.updated_at
    job.version += 1
    db.add(happened("connector.updated", job.subject, {"name": connector.name, "fields": list(changes)}))
    db.commit()
    return answer_of(connector)


@app.post("/api/v1/connectors/{connector_id}/pause")
async def pause_connector(connector_id: str, body: Pause, db: Db) -> ConnectorAnswer:
    connector = found(db, connector_id)
    connector.status = "paused"
    connector.version += 1
    connector.updated_at = now()
    connector.updated_by = "bench"
    job = db.get_one(Job, connector.workflow_id)
    job.paused = json.dumps({"by": "bench", "at": connector.updated_at, "reason": body.reason, "missed": 0})
    job.paused_until = body.until
    job.version += 1
    db.add(happened("connector.paused", job.subject, {"name": connector.name, "reason": body.reason}))
    db.commit()
    return answer_of(connector)


@app.post("/api/v1/deployments/")
async def create_deployment(body: DeploymentCreate, db: Db) -> DeploymentAnswer:
    deployment = Deployment(
        id=str(uuid.uuid4()),
        environment_id=environment_id,
        deployment_name=body.deployment_name,
        status="pending",
        created_at=now(),
        initiated_by="bench",
    )
    db.add_all([deployment, happened("deployment.created", f"deployment/{deployment.id}", {})])
    count(db, "pending", 1)
    db.commit()
    return DeploymentAnswer.model_validate(deployment, from_attributes=True)


@app.post("/api/v1/deployments/{deployment_id}/finish")
async def finish_deployment(deployment_id: str, body: DeploymentFinish, db: Db) -> DeploymentAnswer:
    deployment = db.get(Deployment, deployment_id)
    if deployment is None:
        raise HTTPException(404, "There is no such deployment.")
    count(db, deployment.status, -1)
    deployment.status = body.status
    deployment.completed_at = now()
    deployment.error_message = body.error_message
    count(db, deployment.status, 1)
    db.flush()
    db.merge(Summary(environment_id=environment_id, doc=json.dumps(summary(db))))
    db.add(happened("deployment.finished", f"deployment/{deployment_id}", {"status": body.status}))
    db.add(happened("environment.reconciled", f"environment/{environment_id}", {}))
    db.commit()
    return DeploymentAnswer.model_validate(deployment, from_attributes=True)


def count(db: Session, status: str, by: int) -> None:
    row = db.get(DeploymentCount, (environment_id, status))
    if row is None:
        db.add(DeploymentCount(environment_id=environment_id, status=status, n=by))
    else:
        row.n += by


def summary(db: Session) -> dict[str, Any]:
    ended = select(Deployment).where(Deployment.environment_id == environment_id)
    last = ended.where(Deployment.status == "succeeded").order_by(Deployment.completed_at.desc()).limit(1)
    success = db.scalars(last).first()
    failed = select(func.count()).where(
        Deployment.environment_id == environment_id,
        Deployment.status == "failed",
        Deployment.completed_at > (success.completed_at if success else ""),
    )
    counts = db.scalars(select(DeploymentCount).where(DeploymentCount.environment_id == environment_id))
    return {
        "environment_id": environment_id,
        "latest_success": success and {"id": success.id, "completed_at": success.completed_at},
        "deployment_counts": {row.status: row.n for row in counts},
        "failure_streak": db.scalar(failed),
        "reconciled_at": now(),
    }


def seed() -> str:
    with Session(engine) as db:
        environment = Environment(id=str(uuid.uuid4()), name="local")
        db.add(environment)
        db.flush()
        numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < :count)"
        values = {"count": seeded, "environment": environment.id, "now": now(), "definition": definition_of("0 6 * * *")}
        if seeded > 0:
            db.execute(
                text(f"""insert into connectors
                    (id, name, environment_id, version, target_type, target_config, execution_mode, schedule_cron,
                     compute_type, status, workflow_id, created_at, updated_at, created_by)
                    {numbers} select printf('019f0000-0000-7000-8000-%012x', i), printf('seed-%d', i), :environment, 1,
                    'postgresql', '{{"host": "db.internal", "port": 5432, "database": "crm", "user": "loader"}}', 'batch',
                    '0 6 * * *', 'serverless', 'active', printf('connector-019f0000-0000-7000-8000-%012x', i), :now, :now,
                    'bench' from n"""),
                values,
            )
            db.execute(
                text(f"""insert into jobs
                    (id, environment_id, kind, subject, name, definition, "trigger", failures, next_at, created_at,
                     installed_at, version)
                    {numbers} select printf('connector-019f0000-0000-7000-8000-%012x', i), :environment, 'connector',
                    printf('connector/019f0000-0000-7000-8000-%012x', i), printf('seed-%d', i), :definition, 'cron', 0,
                    '2099-01-01T06:00:00.000+00:00', :now, :now, 1 from n"""),
                values,
            )
            db.execute(
                text(f"""insert into deployments
                    (id, environment_id, deployment_name, status, created_at, completed_at, initiated_by)
                    {numbers} select printf('019f0000-0000-7000-8000-%012x', i), :environment, 'seed', 'succeeded', :now,
                    :now, 'bench' from n"""),
                values,
            )
        db.add(DeploymentCount(environment_id=environment.id, status="succeeded", n=seeded))
        db.commit()
        return environment.id


if __name__ == "__main__":
    Base.metadata.create_all(engine)
    environment_id = seed()
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
