# One image for each program:
#   docker build --build-arg PROGRAM=sync-agent-service -t mooring/sync-agent .
# PROGRAM is one of kcp-sandbox-server, sync-agent-service, dependency-controller-service,
# dependency-webhook-service.
ARG JDK=eclipse-temurin:25-jdk
ARG JRE=eclipse-temurin:25-jre

FROM ${JDK} AS build
WORKDIR /src
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
COPY . .
ARG PROGRAM=sync-agent-service
# MAVEN_USER_HOME is where mvnw keeps the Maven it fetched.
ENV MAVEN_USER_HOME=/m2
RUN --mount=type=cache,target=/m2 \
    ./mvnw -B -ntp -Dmaven.repo.local=/m2/repository -DskipTests -pl "${PROGRAM}" -am package && \
    cp "${PROGRAM}/target/${PROGRAM%-server}.jar" /tmp/program.jar

# Spring Boot's jars start faster unpacked; the sandbox's is a plain one.
FROM ${JDK} AS unpacked
ARG PROGRAM=sync-agent-service
COPY --from=build /tmp/program.jar /tmp/program.jar
RUN mkdir /app && cd /app && \
    if [ "${PROGRAM}" = kcp-sandbox-server ]; then cp /tmp/program.jar program.jar; \
    else java -Djarmode=tools -jar /tmp/program.jar extract --destination /app; fi

FROM ${JRE}
ARG PROGRAM=sync-agent-service
LABEL org.opencontainers.image.title="${PROGRAM}" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --user-group --no-create-home mooring
COPY --from=unpacked /app /app
WORKDIR /app
# Services wait for servers most of the time: compiling everything simply takes a third of the processor
# time until they are at full speed. What a start loads is kept in a cache, for another third; the
# start that makes it has no configuration and ends in an error, after all that is worth keeping. The sandbox's cache
# comes from a rehearsal with requests, so that it knows what to compile first: what the rehearsal compiled simply stays
# so, and the processor is there for requests from the first second; the ciphers, which it does not compile, are compiled fully.
# The webhook is compiled fully: long lists go over TLS, and only C2 knows the processor's ciphers.
# Services keep little for long: a heap begins small, however much memory the machine has, and need not be much larger
# than what lives. What compilers have freed goes back to the system every five seconds. One arena of Netty's for all
# its threads.
COPY images/options/${PROGRAM}.* options/
RUN mv options/${PROGRAM}.options java.options; \
    if [ "${PROGRAM}" = kcp-sandbox-server ]; then \
      java @java.options @options/${PROGRAM}.training -XX:AOTCacheOutput=program.aot -cp /app/program.jar \
        dev.mooring.sandbox.server.Rehearsal /tmp/kcp > /dev/null && rm -r /tmp/kcp; \
    else \
      java @java.options -XX:AOTCacheOutput=program.aot -Dspring.context.exit=onRefresh \
        -jar /app/program.jar > /dev/null 2>&1; \
    fi; \
    rm -r options; test -s program.aot && echo "-XX:AOTCache=/app/program.aot" >> java.options
USER 10001:10001
# Memory follows the container's limit; a service that cannot allocate is better restarted. One arena of the C
# library's for all threads: what compilers have freed is not kept once for each of them (some 8 MiB).
ENV JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError" \
    MALLOC_ARENA_MAX=1
ENTRYPOINT ["java", "@/app/java.options", "-jar", "/app/program.jar"]
